import type { BrokerStore, Deployment, Publication } from './store.ts';
import { type BrokerAnswer, type Call, contentHref, hal, json, NOT_FOUND } from './wire.ts';

interface Wanted {
  readonly providerVersionBranch?: string;
  readonly consumerVersionSelectors?: readonly Selector[];
  readonly includeWipPactsSince?: string;
}

type Selector = Readonly<Record<string, string | true>>;

interface Selected {
  readonly publication: Publication;
  readonly criterion: string;
}

const SELECTING = [
  'mainBranch',
  'branch',
  'environment',
  'deployed',
  'released',
  'deployedOrReleased',
  'latest',
];

/** `POST /pacts/provider/P/for-verification`: the pacts that a provider should verify, each content once. */
export function pactsForVerification(call: Call): BrokerAnswer {
  const { store, at, body } = call;
  const [provider = ''] = at;
  if (store.pacticipant(provider) === undefined) return NOT_FOUND;
  const wanted = body as Wanted;
  const { providerVersionBranch: branch = '', consumerVersionSelectors: selectors = [] } = wanted;
  if (selectors.some((selector) => !SELECTING.some((key) => key in selector)))
    return json(400, { errors: { consumerVersionSelectors: ['must specify a value (at index 0)'] } });
  const pacts = store.publications.filter((one) => one.provider === provider);
  const found = selectors.flatMap((selector) => selectedBy(store, pacts, selector));
  // A content is one of a pair: two consumers may say the same.
  const keyOf = ({ consumer, sha }: Publication) => `${consumer}\n${sha}`;
  const groups = Map.groupBy(found, ({ publication }) => keyOf(publication));
  const wip = headsSince(store, pacts, wanted.includeWipPactsSince).filter(
    ({ publication }) => !groups.has(keyOf(publication)) && isPending(store, publication, branch),
  );
  return hal(200, {
    _embedded: {
      pacts: [
        ...[...groups.values()].map((group) => selectedPact(call, group, branch)),
        ...wip.map((one) => wipPact(call, one, branch)),
      ],
    },
  });
}

function selectedBy(
  store: BrokerStore,
  pacts: readonly Publication[],
  selector: Selector,
): readonly Selected[] {
  const consumers = [...new Set(pacts.map(({ consumer }) => consumer))];
  return consumers
    .filter((consumer) => selector.consumer === undefined || selector.consumer === consumer)
    .flatMap((consumer) => {
      const own = pacts.filter((pact) => pact.consumer === consumer);
      return ofConsumer(store, own, consumer, selector).map(({ publication, criterion }) => ({
        publication,
        criterion: `${criterion} (${publication.version})`,
      }));
    });
}

function ofConsumer(
  store: BrokerStore,
  pacts: readonly Publication[],
  consumer: string,
  selector: Selector,
): readonly Selected[] {
  const latestOn = (branch: unknown, criterion: string) =>
    pacts
      .filter((one) => store.version(consumer, one.version)?.branches.includes(String(branch)))
      .slice(-1)
      .map((publication) => ({ publication, criterion }));
  const { mainBranch, branch, fallbackBranch, environment } = selector;
  if (mainBranch !== undefined) {
    const name = store.pacticipant(consumer)?.mainBranch;
    return latestOn(name, `latest version from the main branch '${name}'`);
  }
  if (branch !== undefined) {
    const on = latestOn(branch, `latest version from branch '${branch}'`);
    if (on.length > 0 || fallbackBranch === undefined) return on;
    return latestOn(fallbackBranch, `latest version from branch '${fallbackBranch}' (fallback branch used)`);
  }
  if (selector.latest !== undefined)
    return pacts.slice(-1).map((publication) => ({ publication, criterion: 'latest version of a consumer' }));
  const hows: readonly Deployment['how'][] =
    selector.deployed !== undefined
      ? ['deployed']
      : selector.released !== undefined
        ? ['released']
        : ['deployed', 'released'];
  return store.environments
    .filter((name) => environment === undefined || environment === name)
    .flatMap((name) =>
      hows.flatMap((how) =>
        pacts
          .filter(({ version }) => store.deployedIn(name, consumer, how).includes(version))
          .map((publication) => ({ publication, criterion: `consumer version(s) ${how} to ${name}` })),
      ),
    );
}

function headsSince(store: BrokerStore, pacts: readonly Publication[], since: string | undefined) {
  const heads = new Map<string, { readonly publication: Publication; readonly head: string }>();
  for (const publication of pacts) {
    if (since === undefined || publication.createdAt < new Date(since)) continue;
    for (const head of store.version(publication.consumer, publication.version)?.branches ?? [])
      heads.set(JSON.stringify([publication.consumer, head]), { publication, head });
  }
  return [...heads.values()];
}

/** True until a version of the provider's branch has kept a content; earlier successes, on whatever branch, count too. */
function isPending(store: BrokerStore, publication: Publication, branch: string): boolean {
  const { provider } = publication;
  const made = store.pacticipant(provider)?.branches.get(branch) ?? store.verifications.length;
  return !store
    .verificationsOf(publication)
    .some(
      (one) =>
        one.success &&
        (store.verifications.indexOf(one) < made ||
          store.version(provider, one.providerVersion)?.branches.includes(branch)),
    );
}

function selectedPact(call: Call, group: readonly Selected[], branch: string) {
  const [first] = group;
  if (first === undefined) throw new Error('an empty group of pacts');
  const { publication } = first;
  const by = `version of ${publication.provider} from branch '${branch}'`;
  const pending = isPending(call.store, publication, branch);
  const href = contentHref(call, publication, encoded(`s[][cv]=${publication.version}&p=${pending}`));
  return {
    verificationProperties: {
      // They come whether or not they are asked for.
      pending,
      notices: [
        {
          when: 'before_verification',
          text: `The pact at ${href} is being verified because the pact content belongs to the consumer version matching the following criterion:\n${group.map(({ criterion }) => `    * ${criterion}`).join('\n')}`,
        },
        {
          when: 'before_verification',
          text: pending
            ? `This pact is in pending state for this version of ${publication.provider} because a successful verification result for a ${by} has not yet been published.`
            : `This pact has previously been successfully verified by a ${by}. If this verification fails, it will fail the build.`,
        },
        {
          when: 'after_verification:success_true_published_false',
          text: `This pact is still in pending state for any ${by}.`,
        },
      ],
    },
    _links: { self: { href } },
  };
}

function wipPact(
  call: Call,
  { publication, head }: { readonly publication: Publication; readonly head: string },
  branch: string,
) {
  const { provider, consumer } = publication;
  const href = contentHref(call, publication, encoded('wip=true'));
  const text = `The pact at ${href} is being verified because it is a 'work in progress' pact (ie. it is the pact for the latest version of ${consumer} from branch '${head}' and it has not yet been successfully verified by a version of ${provider} from branch '${branch}').`;
  return {
    verificationProperties: { pending: true, wip: true, notices: [{ when: 'before_verification', text }] },
    _links: { self: { href } },
  };
}

function encoded(query: string): string {
  return Buffer.from(query).toString('base64url');
}

import type { Links } from './links.ts';
import { isObject } from './pact-content.ts';
import { pactName } from './publish.ts';
import { type Selected, selected } from './select-pacts.ts';
import type { BrokerStore, Publication } from './store.ts';
import { type BrokerAnswer, hal, invalid, NOT_FOUND } from './wire.ts';

const READ_MORE_PENDING = 'Read more at https://docs.pact.io/go/pending';
const READ_MORE_WIP = 'Read more at https://docs.pact.io/go/wip';

/** `POST /pacts/provider/P/for-verification`: the pacts that a provider should verify, each content once. */
export function pactsForVerification(
  store: BrokerStore,
  links: Links,
  provider: string,
  body: unknown,
): BrokerAnswer {
  if (store.pacticipant(provider) === undefined) return NOT_FOUND;
  const fields = isObject(body) ? body : {};
  const branch = typeof fields.providerVersionBranch === 'string' ? fields.providerVersionBranch : undefined;
  const selectors = (
    Array.isArray(fields.consumerVersionSelectors) ? fields.consumerVersionSelectors : []
  ).filter(isObject);
  const errors = selectors.flatMap((selector, index) => selectorErrors(selector, index, branch));
  if (errors.length > 0) return invalid({ consumerVersionSelectors: errors });
  const found = selected(store, provider, selectors, branch);
  // A content is one of a pair: two consumers may say the same.
  const keyOf = ({ consumer, sha }: Publication) => `${consumer}\n${sha}`;
  const contents = [...new Set(found.map(({ publication }) => keyOf(publication)))];
  const since = typeof fields.includeWipPactsSince === 'string' ? fields.includeWipPactsSince : undefined;
  const pacts = [
    ...contents.map((key) => {
      const group = found.filter(({ publication }) => keyOf(publication) === key);
      return verifiablePact(store, links, group, branch);
    }),
    ...workInProgress(store, provider, branch, since)
      .filter(({ publication }) => !contents.includes(keyOf(publication)))
      .map((wip) => wipPact(links, wip, branch)),
  ];
  return hal(200, {
    _embedded: { pacts },
    _links: {
      self: {
        href: links.to('pacts', 'provider', provider, 'for-verification'),
        title: 'Pacts to be verified',
      },
    },
  });
}

function selectorErrors(
  selector: Record<string, unknown>,
  index: number,
  branch: string | undefined,
): string[] {
  const known = ['mainBranch', 'tag', 'branch', 'environment', 'matchingBranch', 'deployed', 'released'];
  const any = [...known, 'deployedOrReleased', 'latest'].some((key) => selector[key]);
  if (!any) {
    return [
      `must specify a value for environment or tag or branch, or specify mainBranch=true, matchingBranch=true, latest=true, deployed=true, released=true or deployedOrReleased=true (at index ${index})`,
    ];
  }
  if (selector.matchingBranch === true && branch === undefined) {
    return [
      `the providerVersionBranch must be specified when the selector matchingBranch=true is used (at index ${index})`,
    ];
  }
  return [];
}

/**
 * Returns true until a version of the provider's branch has kept a content. A success from before the branch was made counts too, on
 * whatever branch: a new branch inherits.
 */
function isPending(store: BrokerStore, publication: Publication, branch: string | undefined): boolean {
  const { provider } = publication;
  const made = store.pacticipant(provider)?.branches.get(branch ?? '') ?? store.verifications.length;
  return !store
    .verificationsOf(publication)
    .some(
      (v) =>
        v.success &&
        (branch === undefined ||
          store.verifications.indexOf(v) < made ||
          store.version(provider, v.providerVersion)?.branches.includes(branch)),
    );
}

/** The newest pact of every branch of every consumer since a day, as far as it is pending. Needs a branch of the provider. */
function workInProgress(
  store: BrokerStore,
  provider: string,
  branch: string | undefined,
  since: string | undefined,
): readonly { readonly publication: Publication; readonly head: string }[] {
  if (branch === undefined || since === undefined) return [];
  const pacts = store.publications.filter((p) => p.provider === provider && p.createdAt >= new Date(since));
  const heads = new Map<string, { publication: Publication; head: string }>();
  for (const publication of pacts) {
    for (const head of store.version(publication.consumer, publication.version)?.branches ?? [])
      heads.set(JSON.stringify([publication.consumer, head]), { publication, head });
  }
  return [...heads.values()].filter(({ publication }) => isPending(store, publication, branch));
}

function wipPact(
  links: Links,
  { publication, head }: { readonly publication: Publication; readonly head: string },
  branch: string | undefined,
) {
  const { provider, consumer } = publication;
  const href = links.pactVersion(publication, Buffer.from('wip=true').toString('base64url'));
  const reason =
    `The pact at ${href} is being verified because it is a 'work in progress' pact (ie. it is the pact for the latest version of ` +
    `${consumer} from branch '${head}' and it has not yet been successfully verified by a version of ${provider} from branch '${branch}' ` +
    `when the pact's application version was explicitly specified in the consumer version selectors). ${READ_MORE_WIP}`;
  const pending =
    `This pact is in pending state for this version of ${provider} because it was included as a 'work in progress' pact. ` +
    `If this verification fails, it will not cause the overall build to fail. ${READ_MORE_PENDING}`;
  return {
    shortDescription: `latest from branch ${head}`,
    verificationProperties: {
      pending: true,
      wip: true,
      notices: [
        { when: 'before_verification', text: reason },
        { when: 'before_verification', text: pending },
      ],
    },
    _links: { self: { href, name: pactName(publication) } },
  };
}

function verifiablePact(
  store: BrokerStore,
  links: Links,
  group: readonly Selected[],
  branch: string | undefined,
) {
  const [first] = group;
  if (first === undefined) throw new Error('an empty group of pacts');
  const { publication } = first;
  const { provider } = publication;
  const pending = isPending(store, publication, branch);
  const by = branch === undefined ? provider : `version of ${provider} from branch '${branch}'`;
  const pendingText = pending
    ? `This pact is in pending state for this version of ${provider} because a successful verification result for a ${by} has not yet been published. If this verification fails, it will not cause the overall build to fail. ${READ_MORE_PENDING}`
    : `This pact has previously been successfully verified by a ${by}. If this verification fails, it will fail the build. ${READ_MORE_PENDING}`;
  const criteria = group.length === 1 ? 'criterion' : 'criteria';
  const reason =
    `The pact at ${links.pactVersion(publication)} is being verified because the pact content belongs to the ` +
    `consumer version${group.length === 1 ? '' : 's'} matching the following ${criteria}:\n` +
    group.map(({ long }) => `    * ${long}`).join('\n');
  const still = `This pact is still in pending state for any ${by} as a successful verification result has not yet been published`;
  return {
    shortDescription: [...new Set(group.map(({ short }) => short))].join(', '),
    verificationProperties: {
      // They come whether or not they are asked for.
      pending,
      notices: [
        { when: 'before_verification', text: reason },
        { when: 'before_verification', text: pendingText },
        ...(pending
          ? [
              { when: 'after_verification:success_true_published_false', text: still },
              { when: 'after_verification:success_false_published_false', text: still },
              { when: 'after_verification:success_false_published_true', text: still },
              {
                when: 'after_verification:success_true_published_true',
                text: `This pact is no longer in pending state for any ${by}, as a successful verification result has been published.`,
              },
            ]
          : []),
      ],
    },
    _links: {
      self: { href: links.pactVersion(publication, metadataOf(group, pending)), name: pactName(publication) },
    },
  };
}

function metadataOf(group: readonly Selected[], pending: boolean): string {
  const query = [...group.map(({ publication }) => `s[][cv]=${publication.version}`), `p=${pending}`].join(
    '&',
  );
  return Buffer.from(query).toString('base64url');
}

import type { Links } from './links.ts';
import { isObject } from './pact-content.ts';
import { pactName } from './publish.ts';
import { type Selected, selected } from './select-pacts.ts';
import type { BrokerStore } from './store.ts';
import { type BrokerAnswer, hal, invalid, NOT_FOUND } from './wire.ts';

const READ_MORE_PENDING = 'Read more at https://docs.pact.io/go/pending';

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
  const contents = [...new Set(found.map(({ publication }) => publication.sha))];
  const pacts = contents.map((sha) => {
    const group = found.filter(({ publication }) => publication.sha === sha);
    return verifiablePact(store, links, group, fields.includePendingStatus === true, branch);
  });
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

function verifiablePact(
  store: BrokerStore,
  links: Links,
  group: readonly Selected[],
  withPending: boolean,
  branch: string | undefined,
) {
  const [first] = group;
  if (first === undefined) throw new Error('an empty group of pacts');
  const { publication } = first;
  const passed = store
    .verificationsOf(publication)
    .some(
      (v) =>
        v.success &&
        (branch === undefined ||
          store.version(publication.provider, v.providerVersion)?.branches.includes(branch)),
    );
  const by =
    branch === undefined
      ? publication.provider
      : `version of ${publication.provider} from branch '${branch}'`;
  const pendingText = passed
    ? `This pact has previously been successfully verified by a ${by}. If this verification fails, it will fail the build. ${READ_MORE_PENDING}`
    : `This pact is in pending state for this version of ${publication.provider} because a successful verification result for a ${by} has not yet been published. If this verification fails, it will not cause the overall build to fail. ${READ_MORE_PENDING}`;
  const criteria = group.length === 1 ? 'criterion' : 'criteria';
  const reason =
    `The pact at ${links.pactVersion(publication)} is being verified because the pact content belongs to the ` +
    `consumer version${group.length === 1 ? '' : 's'} matching the following ${criteria}:\n` +
    group.map(({ long }) => `    * ${long}`).join('\n');
  const notices = [
    { when: 'before_verification', text: reason },
    ...(withPending ? [{ when: 'before_verification', text: pendingText }] : []),
  ];
  return {
    shortDescription: [...new Set(group.map(({ short }) => short))].join(', '),
    verificationProperties: { ...(withPending ? { pending: !passed } : {}), notices },
    _links: {
      self: { href: links.pactVersion(publication, metadataOf(group, !passed)), name: pactName(publication) },
    },
  };
}

function metadataOf(group: readonly Selected[], pending: boolean): string {
  const query = [...group.map(({ publication }) => `s[][cv]=${publication.version}`), `p=${pending}`].join(
    '&',
  );
  return Buffer.from(query).toString('base64url');
}

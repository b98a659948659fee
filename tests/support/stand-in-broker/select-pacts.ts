import type { BrokerStore, Publication } from './store.ts';

/** A publication and the words of the selector that found it. */
export interface Selected {
  readonly publication: Publication;
  readonly short: string;
  readonly long: string;
}

/** The publications that a provider should verify, by each selector that finds them. */
export function selected(
  store: BrokerStore,
  provider: string,
  selectors: readonly Record<string, unknown>[],
  providerBranch: string | undefined,
): readonly Selected[] {
  const consumers = [
    ...new Set(store.publications.filter((p) => p.provider === provider).map((p) => p.consumer)),
  ];
  const wanted = selectors.length === 0 ? [{ latest: true }] : selectors;
  return wanted.flatMap((selector: Record<string, unknown>) =>
    consumers
      .filter((consumer) => selector.consumer === undefined || selector.consumer === consumer)
      .flatMap((consumer) => {
        const pacts = store.publications.filter((p) => p.provider === provider && p.consumer === consumer);
        return forSelector(store, pacts, selector, providerBranch);
      }),
  );
}

function forSelector(
  store: BrokerStore,
  pacts: readonly Publication[],
  selector: Record<string, unknown>,
  providerBranch: string | undefined,
): readonly Selected[] {
  const consumer = pacts[0]?.consumer ?? '';
  const main = store.pacticipant(consumer)?.mainBranch;
  const latestOn = (branch: unknown) =>
    pacts.filter((p) => store.version(consumer, p.version)?.branches.includes(String(branch))).slice(-1);
  if (selector.mainBranch === true) {
    return latestOn(main).map((publication) => ({
      publication,
      short: 'latest from main branch',
      long: `latest version from the main branch '${main}' (${publication.version})`,
    }));
  }
  const branch = selector.matchingBranch === true ? providerBranch : selector.branch;
  if (branch !== undefined) {
    return latestOn(branch).map((publication) => ({
      publication,
      short: `latest from branch ${branch}`,
      long: `latest version from branch '${branch}' (${publication.version})`,
    }));
  }
  if (
    selector.deployed === true ||
    selector.deployedOrReleased === true ||
    selector.environment !== undefined
  ) {
    return store.environments
      .filter(({ name }) => selector.environment === undefined || selector.environment === name)
      .flatMap(({ name }) =>
        pacts
          .filter((p) => store.deployedIn(name, consumer).includes(p.version))
          .map((publication) => ({
            publication,
            short: `deployed to ${name}`,
            long: `consumer version(s) currently deployed to ${name} (${publication.version})`,
          })),
      );
  }
  if (selector.latest !== true) return [];
  return pacts.slice(-1).map((publication) => ({
    publication,
    short: 'latest',
    long: `latest version of a consumer that has a pact with ${publication.provider} (${publication.version})`,
  }));
}

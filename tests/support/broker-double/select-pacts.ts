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
    const on = latestOn(branch);
    const fallback = on.length === 0 && selector.fallbackBranch !== undefined;
    const name = fallback ? selector.fallbackBranch : branch;
    const because = fallback ? ` (fallback branch used as no pact was found from branch '${branch}')` : '';
    return (fallback ? latestOn(name) : on).map((publication) => ({
      publication,
      short: `latest from branch ${name}`,
      long: `latest version from branch '${name}'${because} (${publication.version})`,
    }));
  }
  if (selector.tag !== undefined) {
    const tagged = pacts.filter((p) =>
      store.version(consumer, p.version)?.tags.includes(String(selector.tag)),
    );
    return (selector.latest === true ? tagged.slice(-1) : tagged).map((publication) => ({
      publication,
      short: selector.latest === true ? `latest with tag ${selector.tag}` : `one of ${selector.tag}`,
      long: `${selector.latest === true ? 'latest version' : 'all consumer versions'} tagged '${selector.tag}' (${publication.version})`,
    }));
  }
  if (
    selector.deployed === true ||
    selector.released === true ||
    selector.deployedOrReleased === true ||
    selector.environment !== undefined
  ) {
    const deployed = selector.released !== true;
    const released = selector.deployed !== true;
    return store.environments
      .filter(({ name }) => selector.environment === undefined || selector.environment === name)
      .flatMap(({ name }) =>
        pacts.flatMap((publication) => [
          ...(deployed && store.deployedIn(name, consumer).includes(publication.version)
            ? [
                {
                  publication,
                  short: `deployed to ${name}`,
                  long: `consumer version(s) currently deployed to ${name} (${publication.version})`,
                },
              ]
            : []),
          ...(released && store.releasedIn(name, consumer).includes(publication.version)
            ? [
                {
                  publication,
                  short: `released in ${name}`,
                  long: `consumer version(s) released and supported in ${name} (${publication.version})`,
                },
              ]
            : []),
        ]),
      );
  }
  if (selector.latest !== true) return [];
  return pacts.slice(-1).map((publication) => ({
    publication,
    short: 'latest',
    long: `latest version of a consumer that has a pact with ${publication.provider} (${publication.version})`,
  }));
}

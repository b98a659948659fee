import type { BrokerStore, Publication, Verification } from './store.ts';

/** One `q[]` group of a query, or the arguments of `/can-i-deploy`. */
export interface Selector {
  readonly pacticipant?: string;
  readonly version?: string;
  readonly latest?: boolean;
  readonly branch?: string;
}

/** A selector with the version that it selects. */
export interface Resolved {
  readonly name: string;
  readonly number: string | undefined;
  readonly exists: boolean;
  readonly description: string;
}

/** Where versions are held against each other: what an environment holds, what carries a tag, or anything. */
export type Place = { readonly environment: string } | { readonly tag: string } | undefined;

/** The versions of a pacticipant at a place, and the words for one of them. */
function versionsAt(store: BrokerStore, place: NonNullable<Place>, name: string) {
  if ('tag' in place) {
    const tagged = store.taggedWith(place.tag, name);
    return {
      numbers: tagged === undefined ? [] : [tagged],
      words: (which: string) => `${which} of ${name} with tag ${place.tag}`,
    };
  }
  const { environment } = place;
  const numbers = [
    ...new Set([...store.deployedIn(environment, name), ...store.releasedIn(environment, name)]),
  ];
  return { numbers, words: (which: string) => `${which} of ${name} currently in ${environment}` };
}

/** A pact, the versions on both sides, and what came of verifying one by the other. */
export interface Row {
  readonly pact: Publication;
  readonly providerVersion: string | undefined;
  readonly verification: Verification | undefined;
  readonly consumer: Resolved;
  readonly provider: Resolved;
}

/** The version that a selector selects. */
export function resolve(
  store: BrokerStore,
  { pacticipant = '', version, latest, branch }: Selector,
): Resolved {
  const versions = store.pacticipant(pacticipant)?.versions ?? [];
  if (version !== undefined) {
    return {
      name: pacticipant,
      number: version,
      exists: versions.some((v) => v.number === version),
      description: `version ${version} of ${pacticipant}`,
    };
  }
  const found = versions.findLast((v) => branch === undefined || v.branches.includes(branch));
  const on = branch === undefined ? '' : ` from branch ${branch}`;
  const which = latest ? `the latest version of ${pacticipant}${on}` : `any version of ${pacticipant}`;
  return {
    name: pacticipant,
    number: found?.number,
    exists: found !== undefined,
    description: found === undefined ? which : `${which} (${found.number})`,
  };
}

/** The rows that decide: every pact in question with the newest result of every version that it is held against. */
export function rowsFor(store: BrokerStore, specified: readonly Resolved[], place: Place): readonly Row[] {
  const [only, other] = specified;
  if (only === undefined) return [];
  if (other !== undefined) {
    return [
      ...asConsumer(store, only).flatMap((pact) => rowOf(store, pact, only, other)),
      ...asConsumer(store, other).flatMap((pact) => rowOf(store, pact, other, only)),
    ].filter(({ pact }) => [only.name, other.name].includes(pact.provider));
  }
  const consuming = asConsumer(store, only).flatMap((pact) =>
    counterparts(
      store,
      pact.provider,
      place,
      store.verificationsOf(pact).map((v) => v.providerVersion),
    ).map((provider) => rowOf(store, pact, only, provider)),
  );
  const providing = store.publications
    .filter(({ provider }) => provider === only.name)
    .filter(
      ({ consumer, version }) =>
        place === undefined || versionsAt(store, place, consumer).numbers.includes(version),
    )
    .map((pact) =>
      rowOf(
        store,
        pact,
        {
          name: pact.consumer,
          number: pact.version,
          exists: true,
          description:
            place === undefined
              ? `version ${pact.version} of ${pact.consumer}`
              : `${versionsAt(store, place, pact.consumer).words('the version')} (${pact.version})`,
        },
        only,
      ),
    );
  return [...consuming, ...providing];
}

function asConsumer(store: BrokerStore, { name, number = '' }: Resolved): readonly Publication[] {
  return store.publicationsOf(name, number);
}

/** The provider versions to hold a pact against: those in the environment, else those that have verified it. */
function counterparts(
  store: BrokerStore,
  name: string,
  place: Place,
  verifiedBy: readonly string[],
): readonly Resolved[] {
  if (place === undefined) {
    const numbers = [...new Set(verifiedBy)];
    return numbers.length === 0
      ? [{ name, number: undefined, exists: false, description: `any version of ${name}` }]
      : numbers.map((number) => ({
          name,
          number,
          exists: true,
          description: `version ${number} of ${name}`,
        }));
  }
  const { numbers, words } = versionsAt(store, place, name);
  if (numbers.length === 0) {
    const none =
      'environment' in place
        ? ' (no version is currently recorded as deployed/released in this environment)'
        : ' (no such version exists)';
    return [{ name, number: undefined, exists: false, description: `${words('a version')}${none}` }];
  }
  const which = numbers.length === 1 ? 'the version' : 'one of the versions';
  return numbers.map((number) => ({
    name,
    number,
    exists: true,
    description: `${words(which)} (${number})`,
  }));
}

function rowOf(store: BrokerStore, pact: Publication, consumer: Resolved, provider: Resolved): Row {
  const verification =
    provider.number === undefined ? undefined : store.latestVerification(pact, provider.number);
  return { pact, consumer, provider, verification, providerVersion: verification?.providerVersion };
}

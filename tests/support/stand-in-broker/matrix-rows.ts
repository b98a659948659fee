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
export function rowsFor(
  store: BrokerStore,
  specified: readonly Resolved[],
  environment: string | undefined,
): readonly Row[] {
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
      environment,
      store.verificationsOf(pact).map((v) => v.providerVersion),
    ).map((provider) => rowOf(store, pact, only, provider)),
  );
  const providing = store.publications
    .filter(({ provider }) => provider === only.name)
    .filter(
      ({ consumer, version }) =>
        environment === undefined || store.deployedIn(environment, consumer).includes(version),
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
            environment === undefined
              ? `version ${pact.version} of ${pact.consumer}`
              : `the version of ${pact.consumer} currently in ${environment} (${pact.version})`,
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
  environment: string | undefined,
  verifiedBy: readonly string[],
): readonly Resolved[] {
  const numbers = environment === undefined ? [...new Set(verifiedBy)] : store.deployedIn(environment, name);
  if (numbers.length === 0) {
    const description =
      environment === undefined
        ? `any version of ${name}`
        : `a version of ${name} currently in ${environment} (no version is currently recorded as deployed/released in this environment)`;
    return [{ name, number: undefined, exists: false, description }];
  }
  const which = numbers.length === 1 ? 'the version' : 'one of the versions';
  return numbers.map((number) => ({
    name,
    number,
    exists: true,
    description:
      environment === undefined
        ? `version ${number} of ${name}`
        : `${which} of ${name} currently in ${environment} (${number})`,
  }));
}

function rowOf(store: BrokerStore, pact: Publication, consumer: Resolved, provider: Resolved): Row {
  const verification =
    provider.number === undefined ? undefined : store.latestVerification(pact, provider.number);
  return { pact, consumer, provider, verification, providerVersion: verification?.providerVersion };
}

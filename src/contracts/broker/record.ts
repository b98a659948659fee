import { type BrokerAnswer, denied, granted, troubled } from './answer.ts';
import { environmentNamed, noEnvironment, versionsIn } from './environments.ts';
import type { Broker } from './hal-client.ts';
import { linkIn, linksIn, type Resource } from './resource.ts';
import { BrokerFailed } from './trouble.ts';

/** What runs, or is released, and where. */
export interface PlacementRecord {
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: string;
  /** Which of several installations in one environment. */
  readonly instance: string | undefined;
  /**
   * The branch to create the version on where the broker does not know it: for a version that was derived from what a service
   * was seen to do. Undefined: such a version is a mistake.
   */
  readonly createOn: string | undefined;
}

/** What is recorded of a version: that it is deployed, in place of the one before it, or that it is released. */
export type Placement = 'deployment' | 'release';

const WORDS = {
  deployment: { done: 'deployed', relation: 'pb:record-deployment', mark: 'currentlyDeployed' },
  release: { done: 'released', relation: 'pb:record-release', mark: 'currentlySupported' },
} as const;

/** Tells the broker that a version now runs, or is released, in an environment. */
export async function record(
  broker: Broker,
  placement: Placement,
  wanted: PlacementRecord,
): Promise<BrokerAnswer> {
  const { access } = broker;
  const { pacticipant, version, environment, instance } = wanted;
  const what = `${pacticipant} ${version}`;
  const { done, relation, mark } = WORDS[placement];
  try {
    const found = await versionToRecord(broker, wanted);
    const link = linksIn(found, relation).find(({ name }) => name === environment);
    if (link === undefined) throw new BrokerFailed(noEnvironment(broker, environment));
    const body = await broker.send(link.href, {
      method: 'POST',
      // Recorded twice is recorded once.
      repeatable: true,
      done: (answer) => answer?.[mark] === true,
      body: instance === undefined ? {} : { applicationInstance: instance, target: instance },
    });
    const where = `${environment}${instance === undefined ? '' : ` (${instance})`}`;
    return {
      ...granted(access, `recorded: ${what} is ${done} ${placement === 'deployment' ? 'to' : 'in'} ${where}`),
      body,
    };
  } catch (error) {
    return troubled(access, error, ({ message }) => `${message}. Nothing was recorded`);
  }
}

async function versionToRecord(
  broker: Broker,
  { pacticipant, version, createOn }: PlacementRecord,
): Promise<Resource> {
  const address = await broker.link('pb:pacticipant-version', { pacticipant, version });
  const known = await broker.find(address);
  if (known !== undefined) return known;
  if (createOn === undefined) {
    throw new BrokerFailed({
      kind: 'unknown',
      message: `the broker at ${broker.url} does not know ${pacticipant} ${version} (404): publish its pact or its verification result first`,
    });
  }
  await putOnBranch(broker, pacticipant, version, createOn);
  return broker.get(address);
}

/** Creates a version on a branch, and its pacticipant; where there is one already, nothing changes. @throws BrokerFailed */
export async function putOnBranch(
  broker: Broker,
  pacticipant: string,
  version: string,
  branch: string,
): Promise<void> {
  const address = await broker.link('pb:pacticipant-branch-version', { pacticipant, version, branch });
  // Brokers differ in what they answer; whoever needs the version asks for it next.
  await broker.send(address, { method: 'PUT', body: {}, repeatable: true, done: () => true });
}

/** What no longer runs, or is no longer supported, and where. */
export interface RemovalRecord {
  readonly pacticipant: string;
  readonly environment: string;
  /** The version; undefined for whatever runs there. */
  readonly version: string | undefined;
  readonly instance: string | undefined;
}

/** Tells the broker that a pacticipant no longer runs in an environment, or that a release there is supported no longer. */
export async function recordEnd(
  broker: Broker,
  placement: Placement,
  { pacticipant, environment, version, instance }: RemovalRecord,
): Promise<BrokerAnswer> {
  const { access } = broker;
  const { done, mark } = WORDS[placement];
  try {
    const found = await environmentNamed(broker, environment);
    const here = (
      await versionsIn(broker, found, placement === 'deployment' ? 'deployed' : 'released', pacticipant)
    ).filter(
      (one) =>
        (version === undefined || one.version === version) &&
        (placement === 'release' || one.instance === instance),
    );
    const what = `${pacticipant}${version === undefined ? '' : ` ${version}`}`;
    const where = `${environment}${instance === undefined ? '' : ` (${instance})`}`;
    if (here.length === 0)
      return denied(access, `${what} is not recorded as ${done} in ${where}, so nothing was changed`);
    const bodies: Resource[] = [];
    for (const { resource } of here) {
      const self = linkIn(resource, 'self') ?? '';
      bodies.push(
        await broker.send(self, {
          method: 'PATCH',
          body: { [mark]: false },
          repeatable: true,
          done: (answer) => answer?.[mark] === false,
        }),
      );
    }
    const versions = here.map((one) => one.version).join(', ');
    return {
      ...granted(access, `recorded: ${pacticipant} ${versions} is no longer ${done} in ${where}`),
      body: bodies,
    };
  } catch (error) {
    return troubled(access, error, ({ message }) => `${message}. Nothing was recorded`);
  }
}

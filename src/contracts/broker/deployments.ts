import { programName } from '../../input/program-name.ts';
import type { Broker } from './hal-client.ts';
import { embeddedIn, linksIn, oneIn, type Resource } from './resource.ts';
import { BrokerFailed, TROUBLES } from './trouble.ts';

/** An environment by its name. @throws BrokerFailed where there is none */
export async function environmentNamed(broker: Broker, name: string): Promise<Resource> {
  const all = await broker.get(await broker.link('pb:environments'));
  const environments = embeddedIn(all, 'environments');
  if (environments === undefined) throw new BrokerFailed(TROUBLES.noBroker(broker.url));
  const found = environments.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new BrokerFailed({
    kind: 'unknown',
    message: `the broker at ${broker.url} has no environment ${name}: pact-broker create-environment --name ${JSON.stringify(name)}`,
  });
}

/**
 * Returns the version of a provider that is recorded as deployed in an environment.
 *
 * @param instance one of several installations in the environment
 * @throws BrokerFailed where the environment is unknown, or has no version or several
 */
export async function deployedVersion(
  broker: Broker,
  provider: string,
  environment: string,
  instance?: string,
): Promise<string> {
  const link = broker.linkOf(
    await environmentNamed(broker, environment),
    'pb:currently-deployed-deployed-versions',
  );
  const deployed = embeddedIn(await broker.get(link), 'deployedVersions');
  if (deployed === undefined) throw new BrokerFailed(TROUBLES.noBroker(broker.url));
  const here = deployed.flatMap((one) => {
    const number = oneIn(one, 'version')?.number;
    if (oneIn(one, 'pacticipant')?.name !== provider || typeof number !== 'string') return [];
    return instance === undefined || one.applicationInstance === instance
      ? [{ number, instance: one.applicationInstance ?? 'without instance' }]
      : [];
  });
  const [number, ...others] = new Set(here.map((one) => one.number));
  if (number !== undefined && others.length === 0) return number;
  const where = instance === undefined ? environment : `${environment} (${instance})`;
  const what =
    number === undefined
      ? `knows no version of ${provider} in ${where}: record one with \`${programName()} contracts provider\``
      : `knows ${others.length + 1} versions of ${provider} in ${where} (${here.map((one) => `${one.instance}: ${one.number}`).join(', ')}): say which with --application-instance`;
  throw new BrokerFailed({ kind: 'unknown', message: `the broker at ${broker.url} ${what}` });
}

/** A provider's version, and where it runs. */
export interface Deployment {
  readonly provider: string;
  readonly version: string;
  /** The branch that the version is put on. */
  readonly branch: string;
  readonly environment: string;
  /** One of several installations in the environment. */
  readonly instance: string | undefined;
}

/** Records that a provider's version runs in an environment, in place of the one before it. @throws BrokerFailed */
export async function recordDeployment(broker: Broker, deployment: Deployment): Promise<void> {
  const { provider, version, branch, environment, instance } = deployment;
  await putOnBranch(broker, provider, version, branch);
  const found = await broker.get(
    await broker.link('pb:pacticipant-version', { pacticipant: provider, version }),
  );
  const link = linksIn(found, 'pb:record-deployment').find(({ name }) => name === environment);
  if (link === undefined) throw new BrokerFailed(TROUBLES.noLink(broker.url, 'pb:record-deployment'));
  await broker.send(link.href, {
    method: 'POST',
    // Recorded twice is recorded once.
    repeatable: true,
    done: (answer) => answer?.currentlyDeployed === true,
    body: instance === undefined ? {} : { applicationInstance: instance, target: instance },
  });
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

import { programName } from '../../input/program-name.ts';
import { BrokerFailed, FAILURES } from './failures.ts';
import type { Broker } from './hal-client.ts';
import { embeddedIn, linksIn, oneIn, type Resource } from './hal-resource.ts';

export async function environmentNamed(broker: Broker, name: string): Promise<Resource> {
  const found = (await environmentsOf(broker)).find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new BrokerFailed({
    kind: 'unknown',
    message: `the broker at ${broker.url} has no environment ${name}: pact-broker create-environment --name ${JSON.stringify(name)}`,
  });
}

async function environmentsOf(broker: Broker): Promise<readonly Resource[]> {
  const all = await broker.get(await broker.link('pb:environments'));
  return embeddedIn(all, 'environments') ?? noBroker(broker);
}

interface Deployed {
  readonly version: string;
  readonly instance: string | undefined;
}

async function deployedTo(
  broker: Broker,
  environment: Resource,
  provider: string,
): Promise<readonly Deployed[]> {
  const link = broker.linkOf(environment, 'pb:currently-deployed-deployed-versions');
  const deployed = embeddedIn(await broker.get(link), 'deployedVersions') ?? noBroker(broker);
  return deployed.flatMap((one) => {
    const version = oneIn(one, 'version')?.number;
    if (oneIn(one, 'pacticipant')?.name !== provider || typeof version !== 'string') return [];
    const { applicationInstance: instance } = one;
    return [{ version, instance: typeof instance === 'string' ? instance : undefined }];
  });
}

function noBroker(broker: Broker): never {
  throw new BrokerFailed(FAILURES.noBroker(broker.url));
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
  const all = await deployedTo(broker, await environmentNamed(broker, environment), provider);
  const here = instance === undefined ? all : all.filter((one) => one.instance === instance);
  const [number, ...others] = new Set(here.map(({ version }) => version));
  if (number !== undefined && others.length === 0) return number;
  const where = instance === undefined ? environment : `${environment} (${instance})`;
  const what =
    number === undefined
      ? `knows no version of ${provider} in ${where}: record one with \`${programName()} contracts provider\``
      : `knows ${others.length + 1} versions of ${provider} in ${where} (${here.map((one) => `${one.instance ?? 'without instance'}: ${one.version}`).join(', ')}): say which with --application-instance`;
  throw new BrokerFailed({ kind: 'unknown', message: `the broker at ${broker.url} ${what}` });
}

export async function environmentsWith(
  broker: Broker,
  provider: string,
  version: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const environment of await environmentsOf(broker)) {
    const here = (await deployedTo(broker, environment, provider)).filter((one) => one.version === version);
    found.push(
      ...here.map(({ instance }) => `${environment.name}${instance === undefined ? '' : ` (${instance})`}`),
    );
  }
  return found;
}

export interface Deployment {
  readonly provider: string;
  readonly version: string;
  readonly branch: string;
  readonly environment: string;
  readonly instance: string | undefined;
}

export async function recordDeployment(broker: Broker, deployment: Deployment): Promise<void> {
  const { provider, version, branch, environment, instance } = deployment;
  await putOnBranch(broker, provider, version, branch);
  const found = await broker.get(
    await broker.link('pb:pacticipant-version', { pacticipant: provider, version }),
  );
  const link = linksIn(found, 'pb:record-deployment').find(({ name }) => name === environment);
  if (link === undefined) throw new BrokerFailed(FAILURES.noLink(broker.url, 'pb:record-deployment'));
  await broker.send(link.href, {
    method: 'POST',
    // Recorded twice is recorded once.
    repeatable: true,
    done: (answer) => answer?.currentlyDeployed === true,
    body: instance === undefined ? {} : { applicationInstance: instance, target: instance },
  });
}

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

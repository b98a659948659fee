import { programName } from '../../document/input/program-name.ts';
import type { Broker } from './hal-client.ts';
import { BrokerFailed, oneIn, type Resource } from './hal-resource.ts';

export async function environmentNamed(broker: Broker, name: string): Promise<Resource> {
  const found = (await environmentsOf(broker)).find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new BrokerFailed(
    `the broker at ${broker.url} has no environment ${name}: pact-broker create-environment --name ${JSON.stringify(name)}`,
  );
}

async function environmentsOf(broker: Broker): Promise<readonly Resource[]> {
  const all = await broker.get(await broker.link('pb:environments'));
  return broker.embedded(all, 'environments');
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
  const deployed = broker.embedded(await broker.get(link), 'deployedVersions');
  return deployed.flatMap((one) => {
    const version = oneIn(one, 'version')?.number;
    if (oneIn(one, 'pacticipant')?.name !== provider || typeof version !== 'string') return [];
    const { applicationInstance: instance } = one;
    return [{ version, instance: typeof instance === 'string' ? instance : undefined }];
  });
}

/**
 * Returns the version of a provider that is recorded as deployed in an environment.
 *
 * @param instance one of several installations in the environment
 * @throws BrokerFailed if the environment is unknown, or has no version or several
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
      ? `knows no version of ${provider} in ${where}: record one with \`${programName()} contracts verify --record-deployment ${environment}\``
      : `knows ${others.length + 1} versions of ${provider} in ${where} (${here.map((one) => `${one.instance ?? 'without instance'}: ${one.version}`).join(', ')}): say which with --application-instance`;
  throw new BrokerFailed(`the broker at ${broker.url} ${what}`);
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
  await broker.send(broker.linkNamed(found, 'pb:record-deployment', environment), {
    method: 'POST',
    // Repeating the request records nothing twice.
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
  // Brokers answer differently; the caller asks for the version next.
  await broker.send(address, { method: 'PUT', body: {}, repeatable: true, done: () => true });
}

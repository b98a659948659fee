import type { Broker } from './hal-client.ts';
import { embeddedIn, oneIn, type Resource } from './resource.ts';
import { BrokerFailed, TROUBLES } from './trouble.ts';

/** The environments that the broker knows. @throws BrokerFailed */
export async function environmentsOf(broker: Broker): Promise<readonly Resource[]> {
  const all = await broker.get(await broker.link('pb:environments'));
  return embeddedIn(all, 'environments') ?? noBroker(broker);
}

/** An environment by its name. @throws BrokerFailed where there is none */
export async function environmentNamed(broker: Broker, name: string): Promise<Resource> {
  const found = (await environmentsOf(broker)).find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new BrokerFailed(noEnvironment(broker, name));
}

/** What to do about an environment that the broker does not know. */
export function noEnvironment(broker: Broker, name: string) {
  return {
    kind: 'unknown' as const,
    message: `the broker at ${broker.url} has no environment ${name}: legacy-conformance contracts create-environment --name ${JSON.stringify(name)}`,
  };
}

/** A version of a pacticipant in an environment. */
export interface Placed {
  readonly version: string;
  readonly instance: string | undefined;
  readonly resource: Resource;
}

/**
 * The versions of a pacticipant that are deployed, or released, in an environment.
 *
 * @throws BrokerFailed where there is no such environment
 */
export async function versionsIn(
  broker: Broker,
  environment: Resource,
  kind: 'deployed' | 'released',
  pacticipant: string,
): Promise<readonly Placed[]> {
  const relation =
    kind === 'deployed'
      ? 'pb:currently-deployed-deployed-versions'
      : 'pb:currently-supported-released-versions';
  const list = await broker.get(broker.linkOf(environment, relation));
  const resources = embeddedIn(list, `${kind}Versions`) ?? noBroker(broker);
  return resources
    .filter((one) => oneIn(one, 'pacticipant')?.name === pacticipant)
    .flatMap((resource) => {
      const number = oneIn(resource, 'version')?.number;
      const { applicationInstance } = resource;
      const instance = typeof applicationInstance === 'string' ? applicationInstance : undefined;
      return typeof number === 'string' ? [{ version: number, instance, resource }] : [];
    });
}

/**
 * The version of a pacticipant that an environment holds, as it was recorded. What is verified against a running service
 * is verified against exactly that version, whichever suite derived it.
 *
 * @param instance which of several installations in the environment
 * @throws BrokerFailed where the environment is not known, holds none, or several
 */
export async function deployedVersion(
  broker: Broker,
  pacticipant: string,
  name: string,
  instance?: string,
): Promise<string> {
  const here = await versionsIn(broker, await environmentNamed(broker, name), 'deployed', pacticipant);
  const meant = instance === undefined ? here : here.filter((one) => one.instance === instance);
  const [number, ...others] = new Set(meant.map(({ version }) => version));
  if (number !== undefined && others.length === 0) return number;
  const where = instance === undefined ? name : `${name} (${instance})`;
  const what =
    number === undefined
      ? `knows no version of ${pacticipant} in ${where}: check the service, and record its version with \`contracts provider\` or \`contracts record-deployment --results\``
      : `knows ${others.length + 1} versions of ${pacticipant} in ${where} (${meant.map((one) => `${one.instance ?? 'without instance'}: ${one.version}`).join(', ')}): say which with --application-instance`;
  throw new BrokerFailed({ kind: 'unknown', message: `the broker at ${broker.url} ${what}` });
}

function noBroker(broker: Broker): never {
  throw new BrokerFailed(TROUBLES.noBroker(broker.url));
}

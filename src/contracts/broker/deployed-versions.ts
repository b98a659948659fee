import type { BrokerAccess } from './access.ts';
import { BrokerFailed, halRequest, linkIn, type Resource } from './hal-client.ts';
import { TROUBLES } from './trouble.ts';

/**
 * The version of a pacticipant that an environment holds, as the broker was told. What is verified against a running service
 * is verified against exactly that version, whoever derived it and with which suite.
 *
 * @throws BrokerFailed where the environment is not known, holds none, or several
 */
export async function deployedVersion(
  access: BrokerAccess,
  pacticipant: string,
  environment: string,
): Promise<string> {
  const all = await read(access, '/environments');
  const found = embedded(all, 'environments', access).find(({ name }) => name === environment);
  const address = found && linkIn(found, 'pb:currently-deployed-deployed-versions');
  if (address === undefined) {
    throw new BrokerFailed({
      kind: 'unknown',
      message: `the broker at ${access.baseUrl} has no environment ${environment}: create it there first`,
    });
  }
  const list = await read(access, `${address}?${new URLSearchParams({ pacticipant })}`);
  const numbers = new Set(embedded(list, 'deployedVersions', access).flatMap(numberOf));
  const [number, ...others] = numbers;
  if (number !== undefined && others.length === 0) return number;
  const what =
    number === undefined
      ? `knows no version of ${pacticipant} in ${environment}: check the service, and record its version with \`contracts record-deployment\``
      : `knows ${numbers.size} versions of ${pacticipant} in ${environment} (${[...numbers].join(', ')}): say which with --version`;
  throw new BrokerFailed({ kind: 'unknown', message: `the broker at ${access.baseUrl} ${what}` });
}

async function read(access: BrokerAccess, to: string): Promise<Resource> {
  const resource = await halRequest(access, { method: 'GET', to, repeatable: true });
  if (resource === undefined) throw new BrokerFailed(TROUBLES.status(access.baseUrl, 404));
  return resource;
}

function embedded(resource: Resource, name: string, { baseUrl }: BrokerAccess): readonly Resource[] {
  const list = (resource._embedded as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (!Array.isArray(list)) throw new BrokerFailed(TROUBLES.noBroker(baseUrl));
  return list as readonly Resource[];
}

function numberOf({ _embedded }: Resource): readonly string[] {
  const { version } = (_embedded ?? {}) as { readonly version?: { readonly number?: unknown } };
  return typeof version?.number === 'string' ? [version.number] : [];
}

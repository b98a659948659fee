import { isJsonObject, type JsonObject } from '../document/input/plain-data.ts';
import type { Interaction, Pact } from './pact/read-pact.ts';

/** Pact provider name for `{auth_url}`. */
export const AUTHORIZATION_SERVER = 'legacy-authorization-server';

/** Pact provider name for `{base_url}`. */
export const RESOURCE_API = 'legacy-resource-api';

export type Address = 'auth' | 'api';

/**
 * Returns the address of an interaction: by the pact's provider name, otherwise by its path. So a pact with one provider for both
 * addresses works too.
 *
 * @returns undefined if neither determines it
 */
export function addressOf(
  { provider }: Pick<Pact, 'provider'>,
  { path }: Pick<Interaction, 'path'>,
): Address | undefined {
  if (provider === AUTHORIZATION_SERVER) return 'auth';
  if (provider === RESOURCE_API) return 'api';
  if (path.startsWith('/oauth/')) return 'auth';
  return path.startsWith('/v2/') ? 'api' : undefined;
}

/**
 * Returns the provider's name if a pact is for another service: neither its name nor one of its paths says which address it means.
 *
 * @returns undefined for pacts of this service, and for files that are no pact
 */
export function foreignProvider({ provider, interactions }: JsonObject): string | undefined {
  const name = isJsonObject(provider) ? provider.name : undefined;
  if (typeof name !== 'string') return undefined;
  const requests = Array.isArray(interactions) ? interactions.map((one) => one?.request) : [];
  const paths = requests.map((request) => (isJsonObject(request) ? String(request.path) : ''));
  const address = ['', ...paths].map((path) => addressOf({ provider: name }, { path }));
  return address.every((one) => one === undefined) ? name : undefined;
}

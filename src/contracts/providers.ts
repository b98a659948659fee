import type { Interaction, Pact } from './pact/read-pact.ts';

/** Pact provider name for `{auth_url}`. */
export const AUTHORIZATION_SERVER = 'legacy-authorization-server';

/** Pact provider name for `{base_url}`. */
export const RESOURCE_API = 'legacy-resource-api';

export type Address = 'auth' | 'api';

export interface ProviderNames {
  readonly auth?: string | undefined;
  readonly api?: string | undefined;
}

/**
 * Returns the address of an interaction: by the pact's provider name, otherwise by its path. So a pact with one provider for both
 * addresses works too.
 *
 * @returns undefined if neither determines it
 */
export function addressOf(
  { provider }: Pick<Pact, 'provider'>,
  { path }: Pick<Interaction, 'path'>,
  names: ProviderNames = {},
): Address | undefined {
  const named = names.auth === names.api ? {} : names;
  if (provider === named.auth || provider === AUTHORIZATION_SERVER) return 'auth';
  if (provider === named.api || provider === RESOURCE_API) return 'api';
  if (path.startsWith('/oauth/')) return 'auth';
  return path.startsWith('/v2/') ? 'api' : undefined;
}

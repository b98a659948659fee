import type { ResourceOperation } from '../../policy.ts';
import { IssuedPair } from '../../records.ts';
import { ALL_SCOPES } from '../../scopes.ts';

export const METHOD: Readonly<Record<ResourceOperation, string>> = {
  assign: 'PUT',
  unassign: 'DELETE',
  list: 'GET',
};

/** Returns a pair with every scope and no expiry, for requests that need no token. */
export function anybodysPair(): IssuedPair {
  const terms = {
    grant: { ordinal: 0, clientId: '', ownerId: '', scopes: ALL_SCOPES, revoked: false },
    scopes: ALL_SCOPES,
    accessLifetime: Number.POSITIVE_INFINITY,
    refreshLifetime: Number.POSITIVE_INFINITY,
  };
  return new IssuedPair('', '', terms, 0);
}

import type { ResourceOperation } from '../../policy.ts';
import { IssuedPair } from '../../records.ts';
import { ALL_SCOPES } from '../../scopes.ts';

/** The method of each operation (clause 4.4). */
export const METHOD: Readonly<Record<ResourceOperation, string>> = {
  assign: 'PUT',
  unassign: 'DELETE',
  list: 'GET',
};

/** A pair whose access token may do everything, for ever: what who needs no token is taken for. */
export function anybodysPair(): IssuedPair {
  const terms = {
    grant: { ordinal: 0, clientId: '', ownerId: '', scopes: ALL_SCOPES, revoked: false },
    scopes: ALL_SCOPES,
    accessLifetime: Number.POSITIVE_INFINITY,
    refreshLifetime: Number.POSITIVE_INFINITY,
  };
  return new IssuedPair('', '', terms, 0);
}

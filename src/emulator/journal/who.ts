import type { Grant } from '../records.ts';
import type { RequestOutcome } from '../request.ts';
import type { Service } from '../service.ts';
import type { Said } from './sent.ts';

export interface Who {
  readonly grant: Grant | undefined;
  readonly user: string | undefined;
  readonly application: string | undefined;
}

/** Finds the request's owner and client: from what a served request issued, otherwise from what it presents. */
export function whose(said: Said, outcome: RequestOutcome, { store }: Service): Who {
  const { codes, tokens, owners, applications } = store;
  const record =
    found(outcome.accessToken, (value) => tokens.byAccessToken(value)) ??
    found(outcome.code, (value) => codes.get(value)) ??
    found(said.code, (value) => codes.get(value)) ??
    found(said.refreshToken, (value) => tokens.byRefreshToken(value)) ??
    found(said.accessToken, (value) => tokens.byAccessToken(value));
  const grant = record?.grant;
  const named = found(said.clientId, (value) => applications.get(value));
  return {
    grant,
    user: found(grant?.ownerId, (id) => owners.get(id))?.email,
    application: named?.clientId ?? grant?.clientId,
  };
}

function found<T>(key: string | undefined, lookup: (key: string) => T | undefined): T | undefined {
  return key === undefined ? undefined : lookup(key);
}

import type { Lifetime, Revocation } from '../control/control-types.ts';
import { ACCESS_TOKEN_LIFETIME } from '../policy/from-profile.ts';
import type { Service } from '../service.ts';
import type { Grant } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** One year, in seconds. */
const LONGEST = 31_536_000;

export function expiresInOption(seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= LONGEST) return seconds;
  throw new RangeError(`expiresIn: expected whole seconds from 1 to ${LONGEST}, got ${seconds}.`);
}

export function lifetimeOf({ policy, clock, expiresIn }: Service): Lifetime {
  return {
    expiresIn: policy.lifetime.accessToken(undefined, clock.now()),
    documented: expiresIn === undefined || expiresIn === ACCESS_TOKEN_LIFETIME,
  };
}

/** Revokes a token, by ordinal or value, or a grant, and returns its ordinal. @throws RangeError if there is none */
export function revoke({ token, grant }: Revocation, store: Store): string {
  if ((token === undefined) === (grant === undefined)) {
    throw new RangeError('Revoke: expected exactly one of token and grant.');
  }
  return token === undefined ? revokeGrant(grant ?? '', store) : revokeToken(token, store);
}

function revokeToken(wanted: string, { tokens }: Store): string {
  for (const pair of tokens.values()) {
    const access = `access_token#${pair.accessOrdinal}`;
    if (wanted === access || wanted === pair.accessToken) {
      tokens.revokeAccess(pair);
      return access;
    }
    const refresh = `refresh_token#${pair.refreshOrdinal}`;
    if (wanted === refresh || wanted === pair.refreshToken) {
      tokens.revokeRefresh(pair);
      return refresh;
    }
  }
  throw new RangeError(
    'Revoke, token: expected the ordinal (access_token#1, refresh_token#2) or value of an issued token.',
  );
}

function revokeGrant(wanted: string, store: Store): string {
  for (const grant of grantsOf(store)) {
    const label = `grant#${grant.ordinal}`;
    if (wanted !== label) continue;
    grant.revoked = true;
    return label;
  }
  throw new RangeError(`Revoke, grant: expected the ordinal of a grant, such as grant#1, got ${wanted}.`);
}

function* grantsOf({ codes, tokens }: Store): Iterable<Grant> {
  for (const { grant } of codes.values()) yield grant;
  for (const { grant } of tokens.values()) yield grant;
}

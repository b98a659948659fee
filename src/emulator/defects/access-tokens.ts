import type { Policy, ResourceOperation, TokenPolicy } from '../policy.ts';
import { IssuedPair } from '../records.ts';
import { isRefusal, type Refusal, type ResourceReason, refuse } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import { ALL_SCOPES } from '../scopes.ts';
import type { Store } from '../store.ts';
import { type Changes, changed, changing, type PolicyChanges } from './define-defect.ts';

export const METHOD: Readonly<Record<ResourceOperation, string>> = {
  assign: 'PUT',
  unassign: 'DELETE',
  list: 'GET',
};

export function anybodysPair(): IssuedPair {
  const terms = {
    grant: { ordinal: 0, clientId: '', ownerId: '', scopes: ALL_SCOPES, revoked: false },
    scopes: ALL_SCOPES,
    accessLifetime: Number.POSITIVE_INFINITY,
    refreshLifetime: Number.POSITIVE_INFINITY,
    refreshed: false,
  };
  return new IssuedPair('', '', terms, 0);
}

export const UNKNOWN = refuse('token-unknown', 'no such access token was issued');

export function notKnowing(tokens: (pair: IssuedPair, now: number) => boolean): Changes {
  return changing('token.check', (base) => (pair, now) => (tokens(pair, now) ? UNKNOWN : base(pair, now)));
}

export function forbidding(
  refusal: Refusal<ResourceReason>,
  forbidden: (operation: ResourceOperation, pair: IssuedPair) => boolean,
): Changes {
  return changing(
    'token.permits',
    (base) => (operation, pair) => (forbidden(operation, pair) ? refusal : base(operation, pair)),
  );
}

/** Distinguishes the access tokens of a grant's second and later refreshes from the others. */
export function afterFirstRefresh(
  changes: (policy: Policy, isLater: (accessToken: string) => boolean) => PolicyChanges,
): Changes {
  return (base) => {
    const later = new Set<string>();
    const value: TokenPolicy['value'] = (kind, randomness, previous) => {
      const fresh = base.token.value(kind, randomness, previous);
      if (kind === 'access' && previous?.refreshed) later.add(fresh);
      return fresh;
    };
    const policy = changed(base, { token: { value } });
    return changed(
      policy,
      changes(policy, (accessToken) => later.has(accessToken)),
    );
  };
}

/** Selects requests. Created again for each emulator and reset. */
export type Meant = () => (request: HttpRequest) => boolean;

export const operating = (operation: ResourceOperation): Meant => {
  return () => (request) => request.method === METHOD[operation];
};

/** Finds a pair if the policy refuses such requests; undefined leaves them refused. */
export function findingToo(
  find: (
    presented: string | undefined,
    store: Store,
    newestFirst: readonly string[],
  ) => IssuedPair | undefined,
  meant: Meant = () => () => true,
): Changes {
  return ({ token }) => {
    const issued = issuedValues(token, 'access');
    const isMeant = meant();
    let here = false;
    return {
      token: {
        value: issued.value,
        presented(request) {
          here = isMeant(request);
          return token.presented(request);
        },
        find(presented, store) {
          const found = token.find(presented, store);
          return here && isRefusal(found) ? (find(presented, store, issued.newestFirst()) ?? found) : found;
        },
      },
    };
  };
}

/** Lets such requests pass without an access token. */
export function needingNoToken(meant: Meant): Changes {
  return findingToo((presented) => (presented === undefined ? anybodysPair() : undefined), meant);
}

export function issuedValues(
  token: TokenPolicy,
  kept: 'access' | 'refresh',
): { readonly value: TokenPolicy['value']; readonly newestFirst: () => readonly string[] } {
  const values: string[] = [];
  return {
    value(kind, randomness, previous) {
      const value = token.value(kind, randomness, previous);
      if (kind === kept) values.unshift(value);
      values.length = Math.min(values.length, KEPT);
      return value;
    },
    newestFirst: () => values,
  };
}

/** Limit of remembered values, so that memory stays bounded in a long run. */
const KEPT = 1_000;

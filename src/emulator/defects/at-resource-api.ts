import type { AssignmentsPolicy, ResourceOperation, TokenPolicy } from '../policy/policy.ts';
import { isRefusal, type ResourceRefusal, refuse } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import { IssuedPair } from '../store/records.ts';
import { EVERY_SCOPE } from '../store/scopes.ts';
import type { Assignments, Store } from '../store/store.ts';
import { type Changes, changing, together, whenever } from './define-defect.ts';

export const METHOD: Readonly<Record<ResourceOperation, string>> = {
  assign: 'PUT',
  unassign: 'DELETE',
  list: 'GET',
};

export function anyPair(): IssuedPair {
  const terms = {
    grant: { ordinal: 0, clientId: '', ownerId: '', scopes: EVERY_SCOPE, revoked: false },
    scopes: EVERY_SCOPE,
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
  refusal: ResourceRefusal,
  forbidden: (operation: ResourceOperation, pair: IssuedPair) => boolean,
): Changes {
  return changing(
    'token.permits',
    (base) => (operation, pair) => (forbidden(operation, pair) ? refusal : base(operation, pair)),
  );
}

export type RequestMatcher = (request: HttpRequest) => boolean;

export const operating =
  (operation: ResourceOperation): RequestMatcher =>
  ({ method }) =>
    method === METHOD[operation];

/** Finds a pair if the policy refuses such requests; undefined leaves them refused. */
export function findingToo(
  find: (
    presented: string | undefined,
    store: Store,
    newestFirst: readonly string[],
  ) => IssuedPair | undefined,
  meant: RequestMatcher = () => true,
): Changes {
  return (base) => {
    const issued = issuedValues(base.token, 'access');
    const finding = changing('token.find', (refusing) => (presented, store) => {
      const found = refusing(presented, store);
      return isRefusal(found) ? (find(presented, store, issued.newestFirst()) ?? found) : found;
    });
    return together(
      () => ({ token: { value: issued.value } }),
      whenever('token.presented', meant, finding),
    )(base);
  };
}

export function needingNoToken(meant: RequestMatcher): Changes {
  return findingToo((presented) => (presented === undefined ? anyPair() : undefined), meant);
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

export function assignmentKey(project: { readonly id: string }, user: { readonly id: string }): string {
  return `${project.id} ${user.id}`;
}

export function everybodyIn(all: Assignments): readonly string[] {
  return [...new Set([...all.projects()].flatMap((project) => [...all.of(project)]))];
}

export function cachedList(list: AssignmentsPolicy['list'], seconds: number): AssignmentsPolicy['list'] {
  const cached = new Map<string, { readonly at: number; readonly ids: readonly string[] }>();
  return async (all, project, now) => {
    const kept = cached.get(project.id);
    if (kept !== undefined && now - kept.at < seconds) return kept.ids;
    const ids = [...(await list(all, project, now))];
    cached.set(project.id, { at: now, ids });
    return ids;
  };
}

import type { Defect } from '../../defect.ts';
import type { ReceivedParameters } from '../../parameters.ts';
import type { IssuedPair } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import type { Store } from '../../store.ts';
import { defect } from '../define-defect.ts';
import { issuedValues } from '../token-responses.ts';

/** A defect that finds a pair for what is no refresh token; undefined leaves it to the policy. */
function finding(
  id: string,
  find: (value: string, store: Store, newestFirst: readonly string[]) => IssuedPair | undefined,
): Defect {
  return defect(id, ({ token, refresh }) => {
    const issued = issuedValues(token, 'refresh');
    return {
      token: { value: issued.value },
      refresh: {
        find(value, store) {
          const found = refresh.find(value, store);
          return isRefusal(found) ? (find(value, store, issued.newestFirst()) ?? found) : found;
        },
      },
    };
  });
}

/** A defect that does without a refresh token, and takes the newest one that is alive. */
function doingWithout(id: string, without: (parameters: ReceivedParameters) => boolean): Defect {
  return defect(id, ({ token, client, refresh }) => {
    const issued = issuedValues(token, 'refresh');
    return {
      token: { value: issued.value },
      client: {
        required(parameters, name) {
          const value = client.required(parameters, name);
          return name === 'refresh_token' && isRefusal(value) && without(parameters) ? '' : value;
        },
      },
      refresh: {
        find: (value, store) =>
          (value === '' ? newestAlive(store, issued.newestFirst()) : undefined) ?? refresh.find(value, store),
      },
    };
  });
}

function newestAlive(store: Store, newestFirst: readonly string[]): IssuedPair | undefined {
  for (const value of newestFirst) {
    const pair = store.tokens.byRefreshToken(value);
    if (pair !== undefined && !pair.refreshRevoked && !pair.grant.revoked) return pair;
  }
  return undefined;
}

/** The pair of the issued token that satisfies a condition. */
function issuedLike(
  store: Store,
  newestFirst: readonly string[],
  like: (issued: string) => boolean,
): IssuedPair | undefined {
  const value = newestFirst.find(like);
  return value === undefined ? undefined : store.tokens.byRefreshToken(value);
}

/** Characters of a refresh token that are compared. */
const COMPARED = 20;

/** Faults in telling what may be refreshed (clause 4.3). */
export const token: readonly Defect[] = [
  doingWithout('refresh-token-optional', (parameters) => !parameters.get('code')),
  doingWithout('refresh-token-empty-accepted', (parameters) => parameters.get('refresh_token') === ''),

  defect('refresh-grant-type-optional', ({ client }) => ({
    client: {
      grantType: (parameters) =>
        !parameters.get('grant_type') && parameters.get('refresh_token')
          ? 'refresh_token'
          : client.grantType(parameters),
    },
  })),
  defect('refresh-grant-type-empty-accepted', ({ client }) => ({
    client: {
      grantType: (parameters) =>
        parameters.get('grant_type') === '' && parameters.get('refresh_token')
          ? 'refresh_token'
          : client.grantType(parameters),
    },
  })),

  finding('refresh-any-token-accepted', (_value, store, newestFirst) => newestAlive(store, newestFirst)),
  finding('refresh-token-in-any-case', (value, store, newestFirst) =>
    issuedLike(store, newestFirst, (issued) => issued.toLowerCase() === value.toLowerCase()),
  ),
  finding('refresh-token-read-up-to-nul', (value, store) =>
    store.tokens.byRefreshToken(value.split('\0')[0] ?? ''),
  ),
  finding('refresh-token-first-twenty-characters', (value, store, newestFirst) =>
    issuedLike(
      store,
      newestFirst,
      (issued) => value.length >= COMPARED && issued.slice(0, COMPARED) === value.slice(0, COMPARED),
    ),
  ),
  finding('refresh-access-token-accepted', (value, store) => store.tokens.byAccessToken(value)),
  finding('refresh-used-code-accepted', (value, store) => store.codes.get(value)?.grant.latest),

  defect('refresh-refused-with-tokens', ({ token, answer }) => {
    const access = issuedValues(token, 'access');
    return {
      token: { value: access.value },
      answer: {
        tokenFailure(refusal) {
          const failure = answer.tokenFailure(refusal);
          const [access_token] = access.newestFirst();
          if (refusal.refused !== 'refresh-token-unknown' || access_token === undefined) return failure;
          return { ...failure, body: JSON.stringify({ error: 'invalid_grant', access_token }) };
        },
      },
    };
  }),

  defect('refresh-any-client', ({ refresh }) => ({
    refresh: {
      check: (pair, exchange, now) =>
        refresh.check(
          pair,
          { ...exchange, application: { ...exchange.application, clientId: pair.grant.clientId } },
          now,
        ),
    },
  })),

  defect('refresh-dead-token-invalid-request', ({ answer }) => ({
    answer: {
      tokenFailure(refusal) {
        const failure = answer.tokenFailure(refusal);
        if (!refusal.refused.startsWith('refresh-token-') || refusal.refused === 'refresh-token-missing')
          return failure;
        return { ...failure, body: JSON.stringify({ error: 'invalid_request' }) };
      },
    },
  })),
];

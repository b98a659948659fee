import type { Defect } from '../../defect.ts';
import type { Grant } from '../../records.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';
import { changeFields, generations } from '../token-responses.ts';

/** A defect that lets a grant be refreshed so many times and no more. */
function refreshesAtMost(id: string, most: number): Defect {
  return defect(id, ({ refresh }) => {
    const times = new WeakMap<Grant, number>();
    return {
      refresh: {
        check(pair, exchange, now) {
          if ((times.get(pair.grant) ?? 0) >= most)
            return refuse('refresh-token-expired', `the grant was refreshed ${most} times`);
          return refresh.check(pair, exchange, now);
        },
        async rotate(pair, fate, tokens) {
          const overtaken = await refresh.rotate(pair, fate, tokens);
          if (overtaken === undefined) times.set(pair.grant, (times.get(pair.grant) ?? 0) + 1);
          return overtaken;
        },
      },
    };
  });
}

/** Faults by which a refresh that should be honoured is not, or yields what is no good. */
export const honoured: readonly Defect[] = [
  defect('refresh-demands-basic', ({ client }) => ({
    client: {
      credentials: (request, parameters) =>
        parameters.get('grant_type') === 'refresh_token' && !/^basic /i.test(request.authorization)
          ? {}
          : client.credentials(request, parameters),
    },
  })),

  defect('refresh-response-without-refresh-token', (policy) =>
    changeFields(policy, (of) => (of === 'refresh' ? { refresh_token: undefined } : {})),
  ),

  defect('refresh-response-refresh-token-empty', (policy) =>
    changeFields(policy, (of) => (of === 'refresh' ? { refresh_token: '' } : {})),
  ),

  defect('refresh-second-without-refresh-token', ({ token, answer }) => {
    const round = new Map<string, number>();
    return {
      token: {
        value(kind, randomness, previous) {
          const value = token.value(kind, randomness, previous);
          if (kind === 'refresh' && previous !== undefined)
            round.set(value, (round.get(previous.refreshToken) ?? 0) + 1);
          return value;
        },
      },
      answer: {
        tokens(issued) {
          const response = answer.tokens(issued);
          if (round.get(issued.refreshToken) !== 2) return response;
          const { refresh_token: _, ...fields } = JSON.parse(response.body) as Record<string, unknown>;
          return { ...response, body: JSON.stringify(fields) };
        },
      },
    };
  }),

  refreshesAtMost('refresh-once-a-grant', 1),
  refreshesAtMost('refresh-four-times-a-grant', 4),
  refreshesAtMost('refresh-five-times-a-grant', 5),

  defect('refresh-token-spent-by-refused-request', ({ client, refresh }) => {
    const spent = new Set<string>();
    return {
      client: {
        grantType(parameters) {
          const type = client.grantType(parameters);
          const sent = parameters.get('refresh_token');
          if (isRefusal(type) && type.refused === 'grant-type-missing' && sent) spent.add(sent);
          return type;
        },
      },
      refresh: {
        find: (value, store) =>
          spent.has(value)
            ? refuse('refresh-token-unknown', 'a refused request has taken it out of the store')
            : refresh.find(value, store),
      },
    };
  }),

  defect('refresh-old-token-stays-the-good-one', ({ token, refresh, answer }) => {
    const shown = new Map<string, string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const fresh = token.value(kind, randomness, previous);
          if (kind === 'access' || previous === undefined) return fresh;
          shown.set(previous.refreshToken, fresh);
          return previous.refreshToken;
        },
      },
      refresh: {
        rotate: (pair, fate, tokens) => refresh.rotate(pair, { ...fate, refreshToken: 'never' }, tokens),
      },
      answer: {
        tokens: (issued) =>
          answer.tokens({ ...issued, refreshToken: shown.get(issued.refreshToken) ?? issued.refreshToken }),
      },
    };
  }),

  defect('refresh-revokes-the-new-pair', ({ token, refresh }) => {
    const { value, of } = generations(token);
    return {
      token: {
        value,
        check: (pair, now) =>
          of(pair.accessToken) === 'refresh'
            ? refuse('token-revoked', 'the access token was revoked')
            : token.check(pair, now),
      },
      refresh: {
        check: (pair, exchange, now) =>
          of(pair.accessToken) === 'refresh'
            ? refuse('refresh-token-unknown', 'the refresh token is gone')
            : refresh.check(pair, exchange, now),
        rotate: (pair, fate, tokens) => refresh.rotate(pair, { ...fate, refreshToken: 'never' }, tokens),
      },
    };
  }),
];

import { setTimeout as pause } from 'node:timers/promises';
import type { Defect } from '../../defect.ts';
import type { CodeExchange, IssuedTokens } from '../../policy.ts';
import type { AuthorizationCode, IssuedPair } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/** Milliseconds between looking whether a code was used and noting that it was: enough for requests sent at once. */
const RACE_MS = 5;

/** Seconds within which a repeated exchange is taken for a client's retry. */
const RETRY_SECONDS = 2;

/** Faults in keeping a code from being used again (clause 2.2), and in what a replay brings about. */
export const replays: readonly Defect[] = [
  defect('exchange-code-reusable', () => ({ code: { redeem: () => undefined } })),

  defect('exchange-code-reusable-once-more', ({ code }) => {
    const again = new WeakSet<AuthorizationCode>();
    return {
      code: {
        redeem(record, exchange, now) {
          if (record.usedAt === undefined || again.has(record)) return code.redeem(record, exchange, now);
          again.add(record);
          return undefined;
        },
      },
    };
  }),

  defect('exchange-code-retry-honoured', ({ code }) => ({
    code: {
      redeem: (record, exchange, now) =>
        record.usedAt !== undefined && now - record.usedAt <= RETRY_SECONDS
          ? undefined
          : code.redeem(record, exchange, now),
    },
  })),

  defect('exchange-code-reusable-at-other-address', ({ code }) => {
    const elsewhere = (record: AuthorizationCode, { redirectUri, application }: CodeExchange) =>
      record.usedAt !== undefined &&
      record.redirectUri !== redirectUri &&
      application.redirectUris.includes(redirectUri);
    return {
      code: {
        check: (record, exchange, now) =>
          elsewhere(record, exchange)
            ? code.check(record, { ...exchange, redirectUri: record.redirectUri }, now)
            : code.check(record, exchange, now),
        redeem: (record, exchange, now) =>
          elsewhere(record, exchange) ? undefined : code.redeem(record, exchange, now),
      },
    };
  }),

  defect('exchange-code-revived-by-next', ({ code }) => {
    let last: AuthorizationCode | undefined;
    return {
      code: {
        redeem(record, exchange, now) {
          if (record === last) return code.redeem(record, exchange, now);
          last = record;
          record.usedAt ??= now;
          return undefined;
        },
      },
    };
  }),

  defect('exchange-code-replay-refused-with-tokens', ({ answer }) => {
    let last: IssuedTokens | undefined;
    return {
      answer: {
        tokens(issued) {
          last = issued;
          return answer.tokens(issued);
        },
        tokenFailure(refusal) {
          const failure = answer.tokenFailure(refusal);
          if (refusal.refused !== 'code-used' || last === undefined) return failure;
          const body = {
            error: 'invalid_grant',
            access_token: last.accessToken,
            refresh_token: last.refreshToken,
          };
          return { ...failure, body: JSON.stringify(body) };
        },
      },
    };
  }),

  defect('exchange-code-race', ({ code }) => ({
    code: {
      async redeem(record, exchange, now) {
        const seen = { ...record };
        await pause(RACE_MS);
        const refused = await code.redeem(seen, exchange, now);
        record.usedAt ??= now;
        return refused;
      },
    },
  })),

  defect('exchange-replay-revokes-nothing', ({ code }) => ({
    code: {
      afterRefusal: (record, refusal) =>
        refusal.refused === 'code-used' ? 'keep' : code.afterRefusal(record, refusal),
    },
  })),

  defect('exchange-replay-revokes-for-a-moment', ({ code, token, answer }) => {
    const shaken = new WeakSet<IssuedPair>();
    let shaking = false;
    return {
      code: {
        afterRefusal(record, refusal) {
          if (refusal.refused !== 'code-used') return code.afterRefusal(record, refusal);
          if (record.grant.latest !== undefined) shaken.add(record.grant.latest);
          return 'keep';
        },
      },
      token: {
        check(pair, now) {
          shaking = shaken.delete(pair);
          return shaking ? refuse('token-revoked', 'the token is being looked at') : token.check(pair, now);
        },
      },
      answer: {
        resourceFailure(refusal) {
          const failure = answer.resourceFailure(refusal);
          return shaking ? { ...failure, status: 500 } : failure;
        },
      },
    };
  }),

  defect('exchange-replay-spares-refresh-token', ({ code }) => ({
    code: {
      afterRefusal(record, refusal) {
        if (refusal.refused !== 'code-used') return code.afterRefusal(record, refusal);
        if (record.grant.latest !== undefined) record.grant.latest.accessRevoked = true;
        return 'keep';
      },
    },
  })),

  defect('exchange-replay-spares-access-token', ({ code }) => ({
    code: {
      afterRefusal(record, refusal) {
        if (refusal.refused !== 'code-used') return code.afterRefusal(record, refusal);
        if (record.grant.latest !== undefined) record.grant.latest.refreshRevoked = true;
        return 'keep';
      },
    },
  })),
];

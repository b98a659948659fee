import { setTimeout as pause } from 'node:timers/promises';
import {
  type Changes,
  changing,
  type Defects,
  whenever,
} from '../../../src/emulator/defects/define-defect.ts';
import type { IssuedTokens } from '../../../src/emulator/policy/policy.ts';
import { refuse } from '../../../src/emulator/refusal.ts';
import type { AuthorizationCode, Grant, IssuedPair } from '../../../src/emulator/store/records.ts';
import { RACE_MS } from './at-resource-api.ts';

const RETRY_SECONDS = 2;

/** Decimal digits of a code that looks long but holds only 106 bits. */
const DIGITS = 32;

const COUNTED_DIGITS = 8;

const FILLER = '-'.padEnd(40, 'legacy');

const RANDOM_ENDS = 5;

function revokingAlone(which: 'accessRevoked' | 'refreshRevoked'): Changes {
  return changing('code.afterRefusal', (base) => (record, refusal) => {
    if (refusal.refused !== 'code-used') return base(record, refusal);
    if (record.grant.latest !== undefined) record.grant.latest[which] = true;
    return 'keep';
  });
}

export const defects: Defects = {
  'exchange-code-reusable-once-more': {
    summary: 'A code is good for two exchanges, and refused from the third on.',
    breaks: ['exchange.code-single-use', 'exchange.code-single-use-parallel', 'exchange.code-replay-revokes'],
    changes: changing('code.redeem', (base) => {
      const again = new WeakSet<AuthorizationCode>();
      return (record, exchange, now) => {
        if (record.usedAt === undefined || again.has(record)) return base(record, exchange, now);
        again.add(record);
        return undefined;
      };
    }),
  },

  'exchange-code-retry-honoured': {
    summary: "A code that is exchanged again within two seconds is taken for a client's retry and honoured.",
    breaks: ['exchange.code-single-use', 'exchange.code-single-use-parallel', 'exchange.code-replay-revokes'],
    changes: changing(
      'code.redeem',
      (base) => (record, exchange, now) =>
        record.usedAt !== undefined && now - record.usedAt <= RETRY_SECONDS
          ? undefined
          : base(record, exchange, now),
    ),
  },

  'exchange-code-reusable-at-other-address': {
    summary: 'A used code is honoured again when another authorized redirect_uri comes with it.',
    breaks: ['exchange.code-single-use'],
    changes: whenever(
      'code.check',
      (record, { redirectUri, application }) =>
        record.usedAt !== undefined &&
        record.redirectUri !== redirectUri &&
        application.redirectUris.includes(redirectUri),
      ({ code }) => ({
        code: {
          check: (record, exchange, now) =>
            code.check(record, { ...exchange, redirectUri: record.redirectUri }, now),
          redeem: () => undefined,
        },
      }),
    ),
  },

  'exchange-code-revived-by-next': {
    summary:
      'Only the code that was exchanged last is remembered as used, so that the next exchange revives the one before.',
    breaks: ['exchange.code-single-use'],
    changes: changing('code.redeem', (base) => {
      let last: AuthorizationCode | undefined;
      return (record, exchange, now) => {
        if (record === last) return base(record, exchange, now);
        last = record;
        record.usedAt ??= now;
        return undefined;
      };
    }),
  },

  'exchange-code-revived-by-another-client': {
    summary: 'A used code that another application presents is refused, and then good once more for its own.',
    breaks: ['exchange.code-single-use'],
    changes: changing('code.check', (base) => (record, exchange, now) => {
      if (exchange.application.clientId !== record.grant.clientId) record.usedAt = undefined;
      return base(record, exchange, now);
    }),
  },

  'exchange-code-good-while-refreshing': {
    summary: 'While the tokens of a code are refreshed, the code is good once more.',
    breaks: ['exchange.code-single-use-parallel'],
    changes: ({ code, refresh }) => {
      const refreshing = new Set<Grant>();
      return {
        refresh: {
          async rotate(pair, fate, tokens) {
            refreshing.add(pair.grant);
            await pause(RACE_MS);
            refreshing.delete(pair.grant);
            return refresh.rotate(pair, fate, tokens);
          },
        },
        code: {
          redeem: (record, exchange, now) =>
            refreshing.has(record.grant) ? undefined : code.redeem(record, exchange, now),
        },
      };
    },
  },

  'exchange-replay-revokes-for-a-moment': {
    summary:
      'After a replay the first use of the access token is answered with 500, and every later one as if nothing had been.',
    breaks: ['exchange.code-replay-revokes'],
    changes: ({ code, token, answer }) => {
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
    },
  },

  'exchange-replay-spares-refresh-token': {
    summary:
      'After a replay the access token of the first exchange is dead, and its refresh token gives a new one.',
    breaks: ['exchange.code-replay-revokes'],
    changes: revokingAlone('accessRevoked'),
  },

  'exchange-replay-spares-access-token': {
    summary:
      'After a replay the refresh token of the first exchange is dead, and its access token still works.',
    breaks: ['exchange.code-replay-revokes'],
    changes: revokingAlone('refreshRevoked'),
  },

  'authorize-code-counted': {
    summary: 'A code is long and counts up from one.',
    breaks: ['authorize.code-unguessable'],
    changes: changing('code.value', () => {
      let count = 0;
      return () => {
        count += 1;
        return `code-${String(count).padStart(COUNTED_DIGITS, '0')}${FILLER}`;
      };
    }),
  },

  'authorize-code-decimal': {
    summary: 'A code has 32 random digits, which is 106 bits.',
    breaks: ['authorize.code-unguessable'],
    changes: changing('code.value', (base) => (randomness) => {
      const bytes = Buffer.from(base(randomness), 'base64url');
      return BigInt(`0x${bytes.toString('hex')}`)
        .toString()
        .padStart(DIGITS, '0')
        .slice(-DIGITS);
    }),
  },

  'authorize-code-same-middle': {
    summary: 'A code is random at both ends and the same in the middle each time.',
    breaks: ['authorize.code-unguessable'],
    changes: changing('code.value', (base) => {
      let middle: string | undefined;
      return (randomness) => {
        const value = base(randomness);
        middle ??= value.slice(RANDOM_ENDS, -RANDOM_ENDS);
        return value.slice(0, RANDOM_ENDS) + middle + value.slice(-RANDOM_ENDS);
      };
    }),
  },

  'authorize-code-repeated-until-used': {
    summary: 'The same code is handed out until it is exchanged.',
    // Another application's code is the same, so the waiting code becomes that application's.
    breaks: ['authorize.code-unguessable', 'exchange.form-encoded'],
    changes: ({ code }) => {
      let pending: string | undefined;
      return {
        code: {
          value(randomness) {
            pending ??= code.value(randomness);
            return pending;
          },
          redeem(record, exchange, now) {
            if (record.value === pending) pending = undefined;
            return code.redeem(record, exchange, now);
          },
        },
      };
    },
  },

  'exchange-code-replay-refused-with-tokens': {
    summary: 'A replay is answered with status 400 and a body that holds the error and the tokens.',
    breaks: ['exchange.code-single-use', 'exchange.code-single-use-parallel'],
    changes: ({ answer }) => {
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
    },
  },

  'exchange-code-race': {
    summary:
      'Between looking whether a code was used and noting it there is a pause, and requests sent at once all get tokens.',
    reference: 'supabase/auth#2613',
    breaks: ['exchange.code-single-use-parallel'],
    changes: changing('code.redeem', (base) => async (record, exchange, now) => {
      const seen = { ...record };
      await pause(RACE_MS);
      const refused = await base(seen, exchange, now);
      record.usedAt ??= now;
      return refused;
    }),
  },
};

import { setTimeout as pause } from 'node:timers/promises';
import type { IssuedTokens } from '../policy.ts';
import { changing, type Defects, RACE_MS } from './define-defect.ts';

const FEW_BYTES = 6;

export const defects: Defects = {
  'exchange-code-reusable': {
    summary: 'A code is never marked as used and can be exchanged as often as one likes.',
    reference: 'kanidm/kanidm#2775',
    breaks: ['exchange.code-single-use', 'exchange.code-single-use-parallel', 'exchange.code-replay-revokes'],
    changes: changing('code.redeem', () => () => undefined),
  },

  'exchange-code-replay-refused-with-tokens': {
    summary: 'A replay is answered with status 400 and a body that holds the error and the tokens.',
    severity: 'subtle',
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
    severity: 'subtle',
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

  'exchange-replay-revokes-nothing': {
    summary: 'A replayed code is refused, and the client that exchanged it first keeps tokens that work.',
    breaks: ['exchange.code-replay-revokes'],
    changes: changing(
      'code.afterRefusal',
      (base) => (record, refusal) => (refusal.refused === 'code-used' ? 'keep' : base(record, refusal)),
    ),
  },

  'authorize-code-short': {
    summary: 'A code has eight characters.',
    breaks: ['authorize.code-unguessable'],
    changes: changing('code.value', () => (randomness) => randomness.token(FEW_BYTES)),
  },
};

import { changing, type Defects } from './define-defect.ts';

const FEW_BYTES = 6;

export const defects: Defects = {
  'exchange-code-reusable': {
    summary: 'A code is never marked as used and can be exchanged as often as one likes.',
    reference: 'kanidm/kanidm#2775',
    breaks: ['exchange.code-single-use', 'exchange.code-single-use-parallel', 'exchange.code-replay-revokes'],
    changes: changing('code.redeem', () => () => undefined),
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

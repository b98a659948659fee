import { changing, type Defects } from '../define-defect.ts';

const FEW_BYTES = 6;

/** Decimal digits of a code that looks long but holds only 106 bits. */
const DIGITS = 32;

const COUNTED_DIGITS = 8;

const FILLER = '-'.padEnd(40, 'legacy');

const RANDOM_ENDS = 5;

export const codeValues: Defects = {
  'authorize-code-short': {
    summary: 'A code has eight characters.',
    severity: 'blunt',
    breaks: ['authorize.code-unguessable'],
    changes: changing('code.value', () => (randomness) => randomness.token(FEW_BYTES)),
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
};

import type { Situations } from './script.ts';
import type { SharedParts } from './shared-parts.ts';
import { CLEAR, fault, LASTS, RETIRED_SERVICE, refusedAll } from './shared-parts.ts';
import type { SituationValues } from './situation-context.ts';

/** A service that rests, and that ends. */
export function endings(
  { expire, expired }: SharedParts,
  { retryAfterSeconds: retryAfter }: SituationValues,
) {
  return {
    brownout: {
      before: [...expired, fault('any', { kind: 'status', status: 410, ...LASTS })],
      act: [
        'List twice. Send `DELETE /faults`, and list.',
        'call as resting',
        'call as resting',
        CLEAR,
        'call or sign in',
        expire,
        fault('any', { kind: 'status', status: 503, retryAfter, ...LASTS }),
        'call as resting',
        'call as resting',
        CLEAR,
        'wait',
        'call or sign in',
      ],
      after: [CLEAR],
    },
    'sunset-header': {
      act: ['With `emulate --announce-end`: list.', 'be signed in', 'change', 'let the token expire', 'call'],
      service: { retirement: { announced: true } },
    },
    gone: {
      before: ['be signed in', fault('any', { ...RETIRED_SERVICE, ...LASTS }), 'call as resting', expire],
      act: ['List twice. Both calls fail.', 'call as resting', 'call as resting'],
      after: [CLEAR],
    },
    retired: refusedAll(RETIRED_SERVICE),
  } satisfies Situations;
}

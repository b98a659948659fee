import { REDIRECTED_TO } from '../evaluate/bait.ts';
import { addressOnLocalhost } from '../service.ts';
import type { Situations } from './script.ts';
import type { SharedParts } from './shared-parts.ts';
import {
  ADDED_FIELDS,
  ADDED_TO_USERS,
  CLEAR,
  FAILED,
  failedExchange,
  fault,
  LASTS,
  NO_TOKENS,
  ODD,
  OUTAGE,
  redirectTo,
} from './shared-parts.ts';
import type { SituationValues } from './situation-context.ts';

/** Exchanges that fail, and token responses of other forms. */
export function tokenResponses(
  { signInAndRenew, tolerant, fields, tokenForm }: SharedParts,
  { baseUrl, heldMs, retryAfterSeconds: retryAfter }: SituationValues,
) {
  return {
    'exchange-late': {
      before: [fault('token', { kind: 'delay', milliseconds: heldMs, count: 1 })],
      act: ['Sign in, and list.', 'sign in as late', 'call'],
      after: [CLEAR],
    },
    'exchange-lost': failedExchange({ kind: 'reset', afterEffect: true }),
    'exchange-500': failedExchange({ kind: 'status', status: 500 }),
    'exchange-503': failedExchange({ kind: 'status', status: 503, retryAfter, ...OUTAGE }, FAILED, [
      'wait',
      'recover',
    ]),
    'exchange-html': failedExchange({ kind: 'html', status: 502 }),
    'exchange-without-tokens': failedExchange(NO_TOKENS),
    'exchange-truncated': failedExchange({ kind: 'truncate' }),
    'exchange-wrong-type': failedExchange({ kind: 'content-type', contentType: 'text/html' }, ODD),
    'exchange-redirected': failedExchange(redirectTo(addressOnLocalhost(baseUrl, REDIRECTED_TO)), ODD, []),
    'exchange-stalled': failedExchange({ kind: 'stall', ...LASTS }, ['deliver as stalled']),
    'token-type-capital': fields({ token_type: 'Bearer' }),
    'additional-fields': fields(ADDED_FIELDS),
    'list-fields': {
      before: [fault('list', { kind: 'fields', fields: ADDED_TO_USERS, ...LASTS })],
      act: ['Sign in, and list.', 'sign in as tolerant', 'call as tolerant'],
      after: [CLEAR],
    },
    'documented-fields': {
      act: signInAndRenew('With a profile whose `token-response-fields.extra-fields` is `[]`: '),
      service: { answers: { 'token-response-fields.extra-fields': [] } },
    },
    'token-characters': tolerant(tokenForm('every-character'), tokenForm('profile')),
    'token-length': tolerant(tokenForm('long'), tokenForm('profile')),
  } satisfies Situations;
}

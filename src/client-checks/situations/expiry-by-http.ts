import type { SituationId } from '../../document/load-client-requirements.ts';
import {
  type ByHand,
  CLEAR,
  type ControlRequest,
  FOR_EVER,
  fault,
  hold,
  LIST_FAILS,
  REFRESH,
  RELEASE,
  SIGN_IN_AGAIN,
} from './control-requests.ts';

type AtExpiry =
  | Extract<
      SituationId,
      `expiry${string}` | `refresh-${string}` | `unauthorized-${string}` | `race-${string}`
    >
  | 'second-expiry'
  | 'calls-at-expiry'
  | 'call-failed-after-refresh'
  | 'killed-after-refresh';

/** Returns the situations around expiry and refused tokens. */
export function atExpiry(
  expire: ControlRequest,
): Readonly<Record<Exclude<AtExpiry, 'unauthorized-always'>, ByHand>> {
  const outage = (status: number): ByHand => ({
    before: [expire, fault({ ...REFRESH, kind: 'status', status, retryAfter: 2 })],
    act: 'List. Wait 2 seconds, and list again.',
    after: [CLEAR],
  });
  const race = (profile: string): ByHand => ({
    before: [expire, hold({ ...REFRESH, until: 5, limitMs: 1_500 })],
    act: `With \`emulate --profile ${profile}\`: list five times at the same moment.`,
    after: [RELEASE],
    next: 'List.',
  });
  return {
    expiry: { before: [expire], act: 'List twice.' },
    'expiry-time-zone': { before: [expire], act: 'List, with the application in the time zone PST8PDT.' },
    'second-expiry': { before: [expire], act: 'List, assign, unassign. Do this row three times.' },
    'expiry-after-restart': {
      before: [expire],
      act: 'List. Restart the application, and list.',
      after: [expire],
      next: 'List.',
    },
    'calls-at-expiry': {
      before: [expire, hold({ ...REFRESH, until: 5, limitMs: 1_500 })],
      act: 'List five times at the same moment.',
      after: [RELEASE],
      next: 'List.',
    },
    'unauthorized-at-once': {
      before: [
        fault({ route: 'list', kind: 'refusal', reason: 'token-revoked', count: 5 }),
        hold({ ...REFRESH, until: 5, limitMs: 1_500 }),
      ],
      act: 'List five times at the same moment.',
      after: [CLEAR, RELEASE],
    },
    'race-same-pair': race('rotation-with-grace'),
    'race-another-pair': race('doorkeeper-5'),
    'race-refused': race('by-the-rfc'),
    'unauthorized-once': {
      before: [fault({ route: 'list', kind: 'refusal', reason: 'token-revoked' })],
      act: 'List. The application refreshes and lists once more.',
      after: [CLEAR, expire],
      next: 'List.',
    },
    'refresh-late': {
      before: [expire, fault({ ...REFRESH, kind: 'delay', milliseconds: 1_500 })],
      act: 'List twice.',
      after: [CLEAR],
    },
    'refresh-stalled': {
      before: [expire, fault({ ...REFRESH, kind: 'stall', ...FOR_EVER })],
      act: 'List. The application answers within its deadline.',
      after: [CLEAR],
      next: SIGN_IN_AGAIN,
    },
    'refresh-lost': {
      before: [expire, fault({ ...REFRESH, kind: 'reset', afterEffect: true })],
      act: 'List.',
      after: [CLEAR],
      next: SIGN_IN_AGAIN,
    },
    'refresh-503': outage(503),
    'refresh-429': outage(429),
    'refresh-refused': {
      before: [expire, fault({ ...REFRESH, kind: 'refusal', ...FOR_EVER })],
      act: 'List twice. Both calls fail.',
      after: [CLEAR],
      next: SIGN_IN_AGAIN,
    },
    'call-failed-after-refresh': {
      before: [expire, fault({ route: 'list', kind: 'status', status: 500, ...FOR_EVER })],
      act: LIST_FAILS,
      after: [CLEAR, expire],
      next: 'List twice.',
    },
    'killed-after-refresh': {
      before: [expire, hold({ route: 'list', phase: 'request', limitMs: 10_000 })],
      act: 'List. When `GET /holds` shows that the list waits, kill the application and start it.',
      after: [RELEASE],
      next: 'List.',
    },
  };
}

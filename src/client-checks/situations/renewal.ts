import type { Situations } from './script.ts';
import type { SharedParts } from './shared-parts.ts';
import {
  AGAIN,
  CLEAR,
  fault,
  LASTS,
  NO_TOKENS,
  PAGE,
  REFRESH,
  RELEASE,
  refreshFault,
} from './shared-parts.ts';
import type { SituationValues } from './situation-context.ts';

/** Expiry, and a refresh that fails, meets another one, or is interrupted. */
export function renewals(
  {
    expire,
    expired,
    raced,
    hold,
    racing,
    atExpiry,
    failedRefresh,
    outage,
    afterOddRefresh,
    atOnce,
    tokenForm,
  }: SharedParts,
  { first, heldMs }: SituationValues,
) {
  return {
    expiry: atExpiry(['List twice.', 'call as after-expiry', 'call']),
    'expiry-time-zone': {
      ...atExpiry(['List, with the application in the time zone PST8PDT.', 'call as after-expiry']),
      // The C library understands this form with and without a time zone database.
      environment: { TZ: 'PST8PDT' },
    },
    'second-expiry': atExpiry([
      'List, assign, unassign. Do this row three times.',
      'call',
      'call',
      'change',
      'let the token expire',
      'call',
      'call',
      'change',
      'let the token expire',
      'call',
      'call',
      'change',
    ]),
    'expiry-after-restart': {
      before: expired,
      act: ['List. Restart the application, and list.', 'call', 'restart', 'call as after-restart'],
      after: [expire],
      next: [
        'List.',
        'call as after-restart',
        'restart within a lifetime',
        'call as after-restart',
        'sign in again',
        // Several processes may refresh the pair as they start.
        racing,
        'restart',
        'call as kept',
        'wait',
      ],
    },
    'calls-at-expiry': atOnce('List five times at the same moment.'),
    'unauthorized-at-once': {
      before: [
        'be signed in',
        'let two lists meet',
        'revoke the access token',
        { byHand: fault('list', { kind: 'refusal', reason: 'token-revoked', count: 5 }) },
        racing,
      ],
      act: ['List five times at the same moment.', 'call five times at once'],
      after: [CLEAR, RELEASE, 'need workers'],
    },
    'unauthorized-once': {
      before: ['be signed in', { byHand: fault('list', { kind: 'refusal', reason: 'token-revoked' }) }],
      act: [
        'List. The application refreshes and lists once more.',
        'state a short life',
        'call each operation with a revoked token',
      ],
      after: [CLEAR, expire],
      next: ['List.', 'call'],
    },
    'refresh-late': failedRefresh({ kind: 'delay', milliseconds: heldMs, count: 1 }, [
      'List twice.',
      'call as lost',
      'call',
    ]),
    'refresh-stalled': {
      before: [
        ...expired,
        'many users: sign in second',
        'many users: call second',
        // Of this user only: another client may refresh before every call.
        refreshFault({ user: first, kind: 'stall', ...LASTS }),
      ],
      act: ['List. The application answers within its deadline.', 'call stalled with second beside'],
      after: [CLEAR],
      next: AGAIN,
    },
    'refresh-lost': failedRefresh(
      { kind: 'reset', afterEffect: true, count: 1 },
      ['List.', 'call as lost'],
      ['List. If the call fails, sign in, expire the token, and list.', 'go on', 'recover'],
    ),
    'refresh-overtaken': {
      before: [
        ...raced,
        { byHand: hold({ ...REFRESH, phase: 'request', count: 1, limitMs: 10_000 }) },
        { byHand: hold({ ...REFRESH, phase: 'request', count: 1, limitMs: 10_000 }) },
      ],
      act: [
        'List twice at the same moment. When both refreshes wait, release `hold#1`; when a list was answered, the other hold.',
        'call twice at once',
      ],
      after: [RELEASE],
      next: ['List.', 'call as after-race', 'need workers'],
    },
    'browser-gone': {
      before: [...raced, { byHand: hold(REFRESH) }],
      act: [
        'List twice. When `GET /holds` shows that the refresh waits, close the first connection to the application.',
        'call and leave during the refresh',
      ],
      after: [RELEASE],
      next: ['List.', 'call as after-race'],
    },
    'refresh-503': outage(503),
    'refresh-429': outage(429),
    'refresh-odd': failedRefresh(
      PAGE,
      [
        'List. Wait 4 seconds, and list again.',
        ...afterOddRefresh,
        'recover',
        expire,
        refreshFault(NO_TOKENS),
        ...afterOddRefresh,
      ],
      AGAIN,
    ),
    'refresh-refused': {
      before: [
        ...expired,
        // A careless client falls back to the refresh token before.
        'call',
        'revoke the refresh token',
        'let the token expire',
        'many users: sign in second',
        { byHand: refreshFault({ kind: 'refusal', ...LASTS }) },
      ],
      act: [
        'List twice. Both calls fail.',
        'call as refused-renewal',
        'call as refused-renewal',
        'many users: call second as beside',
      ],
      after: [CLEAR],
      next: AGAIN,
    },
    'call-failed-after-refresh': {
      // The expired token is refused: some clients refresh on a 401 alone.
      before: [...expired, fault('list', { kind: 'status', status: 500, afterEffect: true, ...LASTS })],
      act: ['List. The call fails.', 'call as failed'],
      after: [CLEAR, 'call', expire],
      next: ['List twice.', 'call'],
    },
    'killed-after-refresh': {
      before: [...expired, { byHand: hold({ route: 'list', phase: 'request', limitMs: 10_000 }) }],
      act: [
        'List. When `GET /holds` shows that the list waits, kill the application and start it.',
        'call and be killed after the refresh',
      ],
      after: [RELEASE],
      next: ['List.', 'call as after-restart', expire, 'call as after-restart'],
    },
    'killed-during-refresh': {
      before: [...expired, { byHand: hold({ ...REFRESH, limitMs: 10_000 }) }],
      act: [
        'List. When `GET /holds` shows that the refresh waits, kill the application and start it.',
        'call and be killed during the refresh',
      ],
      after: [RELEASE],
      next: ['List. If the call fails, sign in, expire the token, and list.', 'go on'],
    },
    'disk-full': {
      before: [
        tokenForm('long'),
        'need two users',
        'sign in',
        'sign in second',
        expire,
        'call second',
        'restart',
      ],
      act: [
        'Restart the application under `ulimit -f 8`, and list. Restart it without, and list as another user.',
        'restart on a full disk',
        'call as unstored',
        'restart if it can',
        'call second as beside',
      ],
      // Long tokens are a matter of their own situation.
      mayEnd: true,
    },
  } satisfies Situations;
}

const GRACE = { 'refresh-fate.old-refresh-token': 'never', 'refresh-fate.grace-seconds': 60 } as const;

/** Races on services that treat the second refresh each in its own way. They begin last: each needs the machine for ten calls at once. */
export function races({ race }: SharedParts) {
  return {
    'race-same-pair': race('rotation-with-grace', { ...GRACE, 'refresh-fate.successor': 'same-pair' }),
    'race-another-pair': race('doorkeeper-5', { ...GRACE, 'refresh-fate.successor': 'another-pair' }),
    'race-refused': race('by-the-rfc', {
      'refresh-fate.old-refresh-token': 'at-once',
      'refresh-fate.grace-seconds': null,
      'refresh-fate.successor': 'refused',
      'refresh-fate.reuse': 'revokes-the-grant',
    }),
  } satisfies Situations;
}

import type { SituationId } from '../../document/load-client-requirements.ts';
import type { Fault, Hold } from '../../emulator/control-types.ts';

export interface ControlRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A user is signed in before, unless the act begins with a sign-in. */
export interface ByHand {
  readonly before?: readonly ControlRequest[];
  /** The act of the application that your test brings about. */
  readonly act: string;
  readonly after?: readonly ControlRequest[];
  /** Another act, after the requests. */
  readonly next?: string;
}

export const REFRESH = { route: 'token', grantType: 'refresh_token' } as const;
export const FOR_EVER = { count: 'unlimited' } as const;
export const CLEAR: ControlRequest = { method: 'DELETE', path: '/faults' };
export const RELEASE: ControlRequest = { method: 'DELETE', path: '/holds' };
export const SIGN_IN_AGAIN = 'Sign in again, and list.';
export const LIST_FAILS = 'List. The call fails.';

export function fault(body: Fault): ControlRequest {
  return { method: 'POST', path: '/faults', body };
}

export function hold(body: Hold): ControlRequest {
  return { method: 'POST', path: '/holds', body: { ...body, limitMs: body.limitMs ?? 1_500 } };
}

/** The situations around expiry and refused tokens. */
export function atExpiry(expire: ControlRequest) {
  const refreshesHeld = hold({ ...REFRESH, until: 5 });
  const revoked = { route: 'list', kind: 'refusal', reason: 'token-revoked' } as const;
  const failedRefresh = (act: string, one: Omit<Fault, 'route'>, next?: string): ByHand => ({
    before: [expire, fault({ ...REFRESH, ...one })],
    act,
    after: [CLEAR],
    ...(next !== undefined && { next }),
  });
  const outage = (status: number) =>
    failedRefresh('List. Wait 2 seconds, and list again.', { kind: 'status', status, retryAfter: 2 });
  const atOnce = (act: string): ByHand => ({
    before: [expire, refreshesHeld],
    act,
    after: [RELEASE],
    next: 'List.',
  });
  const race = (profile: string) =>
    atOnce(`With \`emulate --profile ${profile}\`: list five times at the same moment.`);
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
    'calls-at-expiry': atOnce('List five times at the same moment.'),
    'unauthorized-at-once': {
      before: [fault({ ...revoked, count: 5 }), refreshesHeld],
      act: 'List five times at the same moment.',
      after: [CLEAR, RELEASE],
    },
    'race-same-pair': race('rotation-with-grace'),
    'race-another-pair': race('doorkeeper-5'),
    'race-refused': race('by-the-rfc'),
    'unauthorized-once': {
      before: [fault(revoked)],
      act: 'List. The application refreshes and lists once more.',
      after: [CLEAR, expire],
      next: 'List.',
    },
    'refresh-late': failedRefresh('List twice.', { kind: 'delay', milliseconds: 1_500 }),
    'refresh-stalled': failedRefresh(
      'List. The application answers within its deadline.',
      { kind: 'stall', ...FOR_EVER },
      SIGN_IN_AGAIN,
    ),
    'refresh-lost': failedRefresh('List.', { kind: 'reset', afterEffect: true }, SIGN_IN_AGAIN),
    'refresh-503': outage(503),
    'refresh-429': outage(429),
    'refresh-refused': failedRefresh(
      'List twice. Both calls fail.',
      { kind: 'refusal', ...FOR_EVER },
      SIGN_IN_AGAIN,
    ),
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
  } satisfies Partial<Record<SituationId, ByHand>>;
}

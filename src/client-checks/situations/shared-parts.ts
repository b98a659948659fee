import type { Fault, Hold } from '../../emulator/control/control-types.ts';
import type { WholeProfile } from '../../emulator/policy/profile.ts';
import type { DrivenSituation, Instruction, Item } from './script.ts';
import type { ControlRequest, SituationValues } from './situation-context.ts';

type Items = readonly Item[];

export const REFRESH = { route: 'token', grantType: 'refresh_token' } as const;
/** Ends a client that repeats a request without end: its first requests show it, and evaluating them takes a second. */
export const LASTS = { count: 500 } as const;
export const CLEAR: ControlRequest = { method: 'DELETE', path: '/faults' };
export const RELEASE: ControlRequest = { method: 'DELETE', path: '/holds' };
export const KEPT: Instruction = ['Wait 4 seconds, and list.', 'wait', 'call as kept'];
export const AGAIN: Instruction = ['Sign in again, and list.', 'recover'];

export const RETIRED_SERVICE = {
  kind: 'status',
  status: 410,
  headers: {
    Sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
    Link: '<https://example.test/newer>; rel="successor-version"',
  },
} as const;

/** Bodies of the token endpoint in an outage: the service's own, and a page of a proxy in front of it. */
export const OUTAGE = { contentType: 'application/json', body: '{"error":"temporarily_unavailable"}' };
const OUTAGE_PAGE = {
  contentType: 'text/html; charset=utf-8',
  body: '<!doctype html><title>Out of service</title>',
};

/** A page of a proxy that says that all is well. */
export const PAGE = { kind: 'html', status: 200 } as const;

/** An error that the status does not show. */
export const NO_TOKENS = { kind: 'status', status: 200, ...OUTAGE } as const;

export const ADDED_FIELDS = {
  scope: 'read write destroy',
  created_at: 1_767_225_600,
  id: { nested: [1, null] },
  error: null,
};

export const ADDED_TO_USERS = { joined: '2026-01-01', teams: [{ id: 1 }], note: 'new' };

type Failing = Omit<Fault, 'route'>;

export function fault(route: Fault['route'], one: Failing): ControlRequest {
  return { method: 'POST', path: '/faults', body: { route, ...one } };
}

export function refreshFault(one: Failing): ControlRequest {
  return fault('token', { grantType: 'refresh_token', ...one });
}

export function consent(user: string, decision: 'grant' | 'deny' = 'grant'): Item {
  return { byHand: { method: 'PUT', path: '/auto-consent', body: { user, decision } } };
}

export function redirectTo(Location: string): Failing {
  return { kind: 'status', status: 307, headers: { Location }, ...LASTS };
}

export function hostile(change: string, ...script: Items): DrivenSituation {
  return { act: [`Begin a sign-in. Deliver its callback ${change}. The application refuses it.`, ...script] };
}

export const FAILED: Items = ['deliver as failed', 'call as after-failure'];
export const ODD: Items = ['deliver as odd'];

export function failedExchange(one: Failing, script = FAILED, again: Items = ['recover']): DrivenSituation {
  return {
    before: [fault('token', { count: 1, ...one })],
    act: ['Sign in. The sign-in fails. Then list.', ...script],
    after: [CLEAR],
    next: [AGAIN[0], ...again],
  };
}

export function refused(one: Failing, ...items: readonly Item[]): DrivenSituation {
  return {
    before: ['be signed in', 'try to sign in', fault('list', { ...LASTS, ...one })],
    act: ['List. The call fails.', ...items],
    after: [CLEAR],
  };
}

/** Refuses assign and unassign too. The same assign was done before, and listed, for what the application then shows. */
export function refusedAll(one: Failing): DrivenSituation {
  const others = (['assign', 'unassign'] as const).map((route) => fault(route, { ...LASTS, ...one }));
  const { act, after } = refused(
    one,
    'call as refused',
    CLEAR,
    ...others,
    'assign as refused',
    'unassign as refused',
  );
  return {
    before: ['be signed in', 'assign', 'call', 'try to sign in', fault('list', { ...LASTS, ...one })],
    act,
    after,
  };
}

/** Returns the parts that several situations share, with the values of the run. */
export function sharedPartsOf(values: SituationValues) {
  const { lifetime, heldMs } = values;
  const { retryAfterSeconds: retryAfter } = values;
  const seconds = Math.ceil(lifetime) + 1;
  const expire: ControlRequest = { method: 'POST', path: '/clock/advance', body: { seconds } };
  const expired: Items = ['be signed in', expire];
  const raced: Items = ['be signed in', 'let two lists meet', expire];
  const hold = (body: Hold): ControlRequest => {
    return { method: 'POST', path: '/holds', body: { limitMs: heldMs, ...body } };
  };
  const racing = hold({ ...REFRESH, until: 5 });
  const twoRefreshes = hold({ ...REFRESH, until: 2 });
  const atExpiry = (act: Instruction): DrivenSituation => ({ before: expired, act });
  const failedRefresh = (one: Failing, act: Instruction, next?: Instruction): DrivenSituation => {
    return { before: [...expired, refreshFault(one)], act, after: [CLEAR], ...(next && { next }) };
  };
  const outage = (status: number): DrivenSituation => {
    const one: Failing = { kind: 'status', status, retryAfter, ...LASTS };
    const once = refreshFault({ ...one, ...OUTAGE, count: 1 });
    const failing: Items = ['call as failed', CLEAR, 'wait', 'call as after-503'];
    const page: Items = [expire, refreshFault({ ...one, ...OUTAGE_PAGE }), ...failing, 'recover'];
    const words = 'List. Wait 4 seconds, and list again.';
    const act: Instruction = [words, refreshFault({ ...one, ...OUTAGE }), ...failing, ...page];
    return { before: [...expired, { byHand: once }], act, after: [CLEAR] };
  };
  const afterOddRefresh: Items = ['call as failed', CLEAR, 'wait', 'call as recover'];
  const atOnce = (words: string, ...more: readonly Item[]): DrivenSituation => ({
    before: [...raced, racing],
    act: [words, 'call five times at once'],
    after: [RELEASE],
    next: ['List.', 'call as after-race', ...more, 'need workers'],
  });
  const race = (profile: string, answers: Partial<WholeProfile['answers']>): DrivenSituation => {
    const words = `With \`emulate --profile ${profile}\`: list five times at the same moment.`;
    const again: Items = ['call five times at once', 'call as after-race'];
    return { ...atOnce(words, 'revoke the access token', racing, ...again), service: { answers } };
  };
  const signInAndRenew = (given = ''): Instruction => [
    `${given}Sign in, and list. Expire the token (POST /clock/advance), and list.`,
    'sign in as tolerant',
    'call as tolerant',
    expire,
    'call as tolerant-renewal',
  ];
  const tolerant = (before: ControlRequest, after: ControlRequest): DrivenSituation => {
    return { before: [before], act: signInAndRenew(), after: [after] };
  };
  const fields = (added: Fault['fields']) =>
    tolerant(fault('token', { kind: 'fields', fields: added, ...LASTS }), CLEAR);
  const tokenForm = (form: 'profile' | 'every-character' | 'long'): ControlRequest => {
    return { method: 'PUT', path: '/token-form', body: { form } };
  };
  const throttled = (status: number, wait: Partial<Failing> = { retryAfter }) => {
    const one: Failing = { kind: 'status', status, ...wait };
    // A list may be kept.
    return refused(one, 'call as refused', fault('assign', { ...LASTS, ...one }), 'assign as refused');
  };
  // A date has whole seconds, so it may be almost a second early.
  const byDate = { retryAfter: retryAfter + 1, retryAfterForm: 'date' } as const;
  return {
    expire,
    expired,
    raced,
    hold,
    racing,
    twoRefreshes,
    atExpiry,
    failedRefresh,
    outage,
    afterOddRefresh,
    atOnce,
    race,
    signInAndRenew,
    tolerant,
    fields,
    tokenForm,
    throttled,
    byDate,
  };
}

export type SharedParts = ReturnType<typeof sharedPartsOf>;

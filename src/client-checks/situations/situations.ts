import { LIFETIME } from '../../document/lifetime.ts';
import type { SituationId } from '../../document/load-client-requirements.ts';
import type { Fault, Hold } from '../../emulator/control-types.ts';
import type { EmulatorOptions } from '../../emulator/emulator-options.ts';
import type { WholeProfile } from '../../emulator/profile.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from '../evaluate/rules/token-requests.ts';
import { elsewhere, type Places } from '../service.ts';
import { type ControlRequest, DURATIONS, type SituationValues } from './situation-context.ts';

/** A script for the suite (see `acts.ts`), a request to the control port, or a request that only an integrator's own test sends. */
export type Item = string | ControlRequest | { readonly byHand: ControlRequest };

/** Words for the author of a test, and what the suite does in their place. */
export type Scene = readonly [words: string, ...items: readonly Item[]];

/**
 * A situation in both forms. The suite does every item. An integrator's own test sends the requests of `before` and `after`, and
 * makes the application act; a user is signed in before, unless the act begins with a sign-in.
 */
export interface DrivenSituation {
  readonly before?: readonly Item[];
  readonly act: Scene;
  readonly after?: readonly Item[];
  readonly next?: Scene;
}

const UNKNOWN_PROJECT = '999999';

/** Returns the project of a situation. An application with a fixed project starts with it. */
export function projectOf(situation: SituationId, { project, emptyProject, longProject }: Places): string {
  const others: Partial<Record<SituationId, string>> = {
    'list-empty': emptyProject,
    'list-long': longProject,
    'unknown-project': UNKNOWN_PROJECT,
  };
  return others[situation] ?? project;
}

/** RFC 6749 section 3.1.2 allows it in a redirect address, and the client must encode it. */
const QUERY = '?app=1&from=a%2Fb';

const GRACE = { 'refresh-fate.old-refresh-token': 'never', 'refresh-fate.grace-seconds': 60 } as const;

interface SituationService {
  /** True for HTTPS with a certificate of an authority that no client knows. */
  readonly tls?: true;
  readonly answers?: Partial<WholeProfile['answers']>;
  readonly retirement?: EmulatorOptions['retirement'];
  /** Follows the redirect address. */
  readonly query?: string;
}

export const SERVICE_OF: Readonly<Partial<Record<SituationId, SituationService>>> = {
  'race-same-pair': { answers: { ...GRACE, 'refresh-fate.successor': 'same-pair' } },
  'race-another-pair': { answers: { ...GRACE, 'refresh-fate.successor': 'another-pair' } },
  'race-refused': {
    answers: {
      'refresh-fate.old-refresh-token': 'at-once',
      'refresh-fate.grace-seconds': null,
      'refresh-fate.successor': 'refused',
      'refresh-fate.reuse': 'revokes-the-grant',
    },
  },
  'documented-fields': { answers: { 'token-response-fields.extra-fields': [] } },
  'sunset-header': { retirement: { announced: true } },
  'untrusted-certificate': { tls: true },
  'redirect-with-query': { query: QUERY },
};

const REFRESH = { route: 'token', grantType: 'refresh_token' } as const;
/** Ends a client that repeats a request without end: its first requests show it, and evaluating them takes a second. */
const LASTS = { count: 500 } as const;
const CLEAR: ControlRequest = { method: 'DELETE', path: '/faults' };
const RELEASE: ControlRequest = { method: 'DELETE', path: '/holds' };
const KEPT: Scene = ['Wait 4 seconds, and list.', 'wait, call as kept'];
const AGAIN: Scene = ['Sign in again, and list.', 'recover'];

const GONE = {
  kind: 'status',
  status: 410,
  headers: {
    Sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
    Link: '<https://example.test/newer>; rel="successor-version"',
  },
} as const;

/** Bodies of the token endpoint in an outage: the service's own, and a page of a proxy in front of it. */
const OUTAGE = { contentType: 'application/json', body: '{"error":"temporarily_unavailable"}' };
const OUTAGE_PAGE = {
  contentType: 'text/html; charset=utf-8',
  body: '<!doctype html><title>Out of service</title>',
};

/** A page of a proxy that says that all is well. */
const PAGE = { kind: 'html', status: 200 } as const;

/** An error that the status does not show. */
const NO_TOKENS = { kind: 'status', status: 200, ...OUTAGE } as const;

const ADDED_FIELDS = {
  scope: 'read write destroy',
  created_at: 1_767_225_600,
  id: { nested: [1, null] },
  error: null,
};

type Failing = Omit<Fault, 'route'>;

function fault(route: Fault['route'], one: Failing): ControlRequest {
  return { method: 'POST', path: '/faults', body: { route, ...one } };
}

function refreshFault(one: Failing): ControlRequest {
  return fault('token', { grantType: 'refresh_token', ...one });
}

function consent(user: string, decision: 'grant' | 'deny' = 'grant'): Item {
  return { byHand: { method: 'PUT', path: '/auto-consent', body: { user, decision } } };
}

function redirectTo(Location: string): Failing {
  return { kind: 'status', status: 307, headers: { Location }, ...LASTS };
}

function hostile(change: string, script: string): DrivenSituation {
  return { act: [`Begin a sign-in. Deliver its callback ${change}. The application refuses it.`, script] };
}

const FAILED = 'deliver as failed, call as after-failure';
const ODD = 'deliver as odd';

function failedExchange(one: Failing, script = FAILED, again = 'recover'): DrivenSituation {
  return {
    before: [fault('token', { count: 1, ...one })],
    act: ['Sign in. The sign-in fails. Then list.', script],
    after: [CLEAR],
    next: [AGAIN[0], ...(again === '' ? [] : [again])],
  };
}

function refused(one: Failing, ...items: readonly Item[]): DrivenSituation {
  return {
    before: ['be signed in', fault('list', { ...LASTS, ...one })],
    act: ['List. The call fails.', ...items],
    after: [CLEAR],
  };
}

/** Refuses assign and unassign too. */
function refusedAll(one: Failing): DrivenSituation {
  const others = (['assign', 'unassign'] as const).map((route) => fault(route, { ...LASTS, ...one }));
  return refused(one, 'call as refused', CLEAR, ...others, 'assign as refused, unassign as refused');
}

/** Returns every situation in the order in which the suite begins them. */
export function situationsOf(values: SituationValues): Readonly<Record<SituationId, DrivenSituation>> {
  const { first, second, lifetime, authUrl, baseUrl, emptyProject, heldMs } = values;
  const { retryAfterSeconds: retryAfter } = values;
  const seconds = Math.ceil(lifetime) + 1;
  const expire: ControlRequest = { method: 'POST', path: '/clock/advance', body: { seconds } };
  const expired = ['be signed in', expire];
  const raced = ['be signed in, let two lists meet', expire];
  const hold = (body: Hold): ControlRequest => {
    return { method: 'POST', path: '/holds', body: { limitMs: heldMs, ...body } };
  };
  const racing = hold({ ...REFRESH, until: 5 });
  const twoRefreshes = hold({ ...REFRESH, until: 2 });
  const atExpiry = (act: Scene): DrivenSituation => ({ before: expired, act });
  const failedRefresh = (one: Failing, act: Scene, next?: Scene): DrivenSituation => {
    return { before: [...expired, refreshFault(one)], act, after: [CLEAR], ...(next && { next }) };
  };
  const outage = (status: number): DrivenSituation => {
    // A client that tries again three times, the default of many libraries, meets it too.
    const one: Failing = { kind: 'status', status, retryAfter, count: 4 };
    const once = refreshFault({ ...one, ...OUTAGE, count: 1 });
    const failing = ['call as failed', CLEAR, 'wait, call as after-503'];
    const page = [expire, refreshFault({ ...one, ...OUTAGE_PAGE }), ...failing, 'recover'];
    const words = 'List. Wait 4 seconds, and list again.';
    const act: Scene = [words, refreshFault({ ...one, ...OUTAGE }), ...failing, ...page];
    return { before: [...expired, { byHand: once }], act, after: [CLEAR] };
  };
  const afterOddRefresh = ['call as failed', CLEAR, 'wait, call as recover'];
  const atOnce = (words: string, ...more: readonly Item[]): DrivenSituation => ({
    before: [...raced, racing],
    act: [words, 'call five times at once'],
    after: [RELEASE],
    next: ['List.', 'call as after-race', ...more, 'need workers'],
  });
  const race = (profile: string) => {
    const words = `With \`emulate --profile ${profile}\`: list five times at the same moment.`;
    const again = 'call five times at once, call as after-race';
    return atOnce(words, 'revoke the access token', racing, again);
  };
  const signInAndRenew = (given = ''): Scene => [
    `${given}Sign in, and list. Expire the token (POST /clock/advance), and list.`,
    'sign in as tolerant, call as tolerant',
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
  const throttled = (status: number, wait: Partial<Failing> = { retryAfter }) =>
    refused({ kind: 'status', status, ...wait }, 'call as refused');
  // A date has whole seconds, so it may be almost a second early.
  const byDate = { retryAfter: retryAfter + 1, retryAfterForm: 'date' } as const;
  return {
    expiry: atExpiry(['List twice.', 'call as after-expiry, call']),
    'expiry-time-zone': atExpiry([
      'List, with the application in the time zone PST8PDT.',
      'call as after-expiry',
    ]),
    'second-expiry': atExpiry([
      'List, assign, unassign. Do this row three times.',
      'call, call, change, let the token expire, call, call, change, let the token expire, call, call, change',
    ]),
    'expiry-after-restart': {
      before: expired,
      act: ['List. Restart the application, and list.', 'call, restart, call as after-restart'],
      after: [expire],
      next: ['List.', 'call as after-restart, restart within a lifetime, call as after-restart'],
    },
    'calls-at-expiry': atOnce('List five times at the same moment.'),
    'unauthorized-at-once': {
      before: [
        'be signed in, let two lists meet, revoke the access token',
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
        'state a short life, call each operation with a revoked token',
      ],
      after: [CLEAR, expire],
      next: ['List.', 'call'],
    },
    'refresh-late': failedRefresh({ kind: 'delay', milliseconds: heldMs, count: 1 }, [
      'List twice.',
      'call as lost, call',
    ]),
    'refresh-stalled': {
      before: [
        ...expired,
        'many users: sign in second, many users: call second',
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
      ['List. If the call fails, sign in, expire the token, and list.', 'go on, recover'],
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
      next: ['List.', 'call as after-race, need workers'],
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
        'call, revoke the refresh token, let the token expire, many users: sign in second',
        { byHand: refreshFault({ kind: 'refusal', ...LASTS }) },
      ],
      act: [
        'List twice. Both calls fail.',
        'call as refused-renewal, call as refused-renewal, many users: call second as beside',
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
      before: [tokenForm('long'), 'need two users, sign in, sign in second', expire, 'call second, restart'],
      act: [
        'Restart the application under `ulimit -f 8`, and list. Restart it without, and list as another user.',
        'restart on a full disk, call as unstored, restart if it can, call second as beside',
      ],
    },
    flow: {
      act: ['Sign in. List, assign and unassign.', 'walk the flow'],
      after: [{ byHand: expire }],
      next: ['List.', 'renew a pair of a short life, sign in again, open the first page, need every change'],
    },
    'second-user': {
      before: [consent(second)],
      act: [
        'Sign in as a second user. List as each user.',
        'need two users, sign in, sign in second, call, call second, call',
      ],
      after: [consent(first), expire],
      next: ['List as the second user, then as the first.', 'call second, call'],
    },
    denial: {
      before: [consent(first, 'deny')],
      act: ['Sign in. Deliver the callback, which holds an error.', 'deny consent, deliver markup'],
      after: [consent(first)],
      next: [
        AGAIN[0],
        'recover, deliver an unasked denial, call as kept, recover, deny consent again, call as denied',
      ],
    },
    'second-user-meanwhile': {
      before: [
        'need two users, sign in both, call, call second for another project, assign',
        expire,
        'call second',
        twoRefreshes,
      ],
      // During the first user's refresh, the second calls: the client must then store the first user's pair.
      act: ['List as two users at the same time.', 'call with second meanwhile'],
      after: [RELEASE],
      next: [
        'List as each user.',
        'call, call second',
        // Both access tokens expire at once: neither user may get the tokens of the other's refresh.
        'let both renew again and again, need workers',
      ],
    },
    'untrusted-certificate': {
      act: [
        'With `emulate --tls`, whose authority the application does not know: deliver a callback with a made-up code.',
        'deliver a made-up code',
      ],
    },
    'another-host': {
      act: [
        'Sign in under another host name of the application, such as localhost.',
        'sign in under another host',
      ],
    },
    'redirect-with-query': {
      act: [
        `Authorize a redirect address with \`${QUERY}\` behind it, configure it, and sign in.`,
        'try to sign in',
      ],
    },
    'state-wrong': hostile('with another state: made up, and cut in half', 'deliver wrong states'),
    'state-missing': hostile('without a state, and with an empty one', 'deliver without a state'),
    'state-replayed': hostile('with the state of an earlier sign-in', 'deliver a replayed state'),
    'foreign-code': {
      act: [
        'Begin a sign-in in one browser. Deliver its callback in another browser.',
        'deliver foreign codes',
      ],
    },
    'unknown-code': hostile(
      'with a code that was never issued',
      'deliver an unknown code, call as after-refusal',
    ),
    'callback-reloaded': {
      act: ['Deliver the callback of the last sign-in again, in the same browser.', 'sign in and reload'],
    },
    'callback-twice': {
      before: [hold({ route: 'token', until: 2 })],
      act: ['Sign in. Deliver the callback twice at the same time.', 'deliver twice at once'],
      after: [RELEASE, 'need workers'],
    },
    'exchange-late': {
      before: [fault('token', { kind: 'delay', milliseconds: heldMs, count: 1 })],
      act: ['Sign in, and list.', 'sign in as late, call'],
      after: [CLEAR],
    },
    'exchange-lost': failedExchange({ kind: 'reset', afterEffect: true }),
    'exchange-500': failedExchange({ kind: 'status', status: 500 }),
    'exchange-503': failedExchange(
      { kind: 'status', status: 503, retryAfter, ...OUTAGE },
      FAILED,
      'wait, recover',
    ),
    'exchange-html': failedExchange({ kind: 'html', status: 502 }),
    'exchange-truncated': failedExchange({ kind: 'truncate' }),
    'exchange-wrong-type': failedExchange({ kind: 'content-type', contentType: 'text/html' }, ODD),
    'exchange-redirected': failedExchange(redirectTo(elsewhere(baseUrl, REDIRECTED_TO)), ODD, ''),
    'exchange-stalled': failedExchange({ kind: 'stall', ...LASTS }, 'deliver as stalled'),
    'token-type-capital': fields({ token_type: 'Bearer' }),
    'additional-fields': fields(ADDED_FIELDS),
    'documented-fields': {
      act: signInAndRenew('With a profile whose `token-response-fields.extra-fields` is `[]`: '),
    },
    'token-characters': tolerant(tokenForm('every-character'), tokenForm('profile')),
    'token-length': tolerant(tokenForm('long'), tokenForm('profile')),
    'unauthorized-always': refusedAll({ kind: 'refusal', reason: 'token-revoked' }),
    forbidden: {
      ...refusedAll({ kind: 'refusal', reason: 'scope-insufficient' }),
      next: ['List.', 'call as kept'],
    },
    'call-429-seconds': { ...throttled(429), next: KEPT },
    'call-429-date': throttled(429, byDate),
    'call-503-seconds': { ...throttled(503), next: KEPT },
    'call-503-date': throttled(503, byDate),
    'call-stalled': { ...refused({ kind: 'stall' }, 'call as stalled'), next: ['List.', 'call as recover'] },
    'call-odd': {
      ...refused(
        PAGE,
        ...['call as odd-body', CLEAR, fault('list', { kind: 'truncate', ...LASTS })],
        ...['call as odd-body', CLEAR, fault('list', { kind: 'status', status: 404, ...OUTAGE, ...LASTS })],
        ...['call as odd', CLEAR, fault('list', { kind: 'reset', ...LASTS })],
        'call as odd',
      ),
      next: ['List.', 'call as recover'],
    },
    'call-redirected': refused(redirectTo(elsewhere(authUrl, LIST_REDIRECTED_TO)), 'call as redirected'),
    'unknown-project': {
      act: [
        `List the users of project ${UNKNOWN_PROJECT}. The call fails.`,
        // An application that lists at the sign-in shows the error there.
        'sign in as odd, call as refused, assign as refused, call as kept',
      ],
    },
    'awkward-ids': {
      act: [
        'Assign and unassign the user `a+b c%`. List the project `roof?half#7`.',
        'be signed in, name odd ids',
      ],
    },
    'list-empty': {
      act: [
        `List the users of project ${emptyProject}.`,
        'sign in, call as tolerant, call, call, call, let time pass, call as later, renew a pair of a short life',
      ],
    },
    'list-long': {
      act: ['List a project to which your seed assigns 10,000 users.', 'sign in, call as tolerant'],
    },
    brownout: {
      before: [...expired, fault('any', { kind: 'status', status: 410, ...LASTS })],
      act: [
        'List twice. Send `DELETE /faults`, and list.',
        'call as resting, call as resting',
        CLEAR,
        'call or sign in',
        expire,
        fault('any', { kind: 'status', status: 503, retryAfter, ...LASTS }),
        'call as resting, call as resting',
        CLEAR,
        'wait, call or sign in',
      ],
      after: [CLEAR],
    },
    'sunset-header': {
      act: ['With `emulate --announce-end`: list.', 'be signed in, change, let the token expire, call'],
    },
    gone: {
      before: ['be signed in', fault('any', { ...GONE, ...LASTS }), 'call as resting', expire],
      act: ['List twice. Both calls fail.', 'call as resting, call as resting'],
      after: [CLEAR],
    },
    retired: refusedAll(GONE),
    // They begin last, because each needs the machine for ten calls at once.
    'race-same-pair': race('rotation-with-grace'),
    'race-another-pair': race('doorkeeper-5'),
    'race-refused': race('by-the-rfc'),
  };
}

export const EXAMPLE_VALUES: SituationValues = {
  ...DURATIONS,
  first: 'ada@example.test',
  second: 'bruno@example.test',
  lifetime: LIFETIME,
  authUrl: 'http://127.0.0.1:8700',
  baseUrl: 'http://127.0.0.1:8701',
  emptyProject: '1043',
};

export const SITUATIONS = Object.keys(situationsOf(EXAMPLE_VALUES)) as readonly SituationId[];

import {
  type ClientRequirement,
  loadClientCatalogue,
  type SituationId,
} from '../../document/load-client-requirements.ts';
import type { Fault } from '../../emulator/control-types.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from '../evaluate/rules/token-requests.ts';
import { EMPTY_PROJECT, elsewhere } from '../service.ts';
import {
  atExpiry,
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
} from './expiry-by-http.ts';

/** A situation as an integrator's own test brings it about, with requests to the control port. */
export interface SituationByHttp extends ByHand {
  readonly situation: SituationId;
  readonly before: readonly ControlRequest[];
  readonly after: readonly ControlRequest[];
  /** Requirements that a report evaluates then. */
  readonly shows: readonly string[];
  /** Requirements that need `client --app`; here the test itself asserts them. */
  readonly onlyWithApp: readonly string[];
}

/** Values of the running emulator that the requests name. */
export interface Names {
  /** Emails of two owners. */
  readonly first: string;
  readonly second: string;
  /** Lifetime of access tokens in seconds. */
  readonly lifetime: number;
  readonly authUrl: string;
  readonly baseUrl: string;
}

/** Returns every situation as plain requests. Each begins and ends with its mark. */
export function situationsByHttp(names: Names): readonly SituationByHttp[] {
  const { requirements } = loadClientCatalogue();
  const table = Object.entries(situationsByHand(names)) as [SituationId, ByHand][];
  return table.map(([situation, { before = [], act, after = [], next }]) => {
    const shown = requirements.filter(({ situations }) => situations.includes(situation));
    return {
      situation,
      before: [...before, mark(situation)],
      act,
      after: [mark(null), ...after],
      ...(next === undefined ? {} : { next }),
      shows: shown.filter((one) => !needsApp(one)).map(({ id }) => id),
      onlyWithApp: shown.filter(needsApp).map(({ id }) => id),
    };
  });
}

function mark(name: SituationId | null): ControlRequest {
  return { method: 'PUT', path: '/mark', body: { mark: name } };
}

/** True if only `client --app` can show it, because it sees how the application answers. */
function needsApp({ inTests }: ClientRequirement): boolean {
  return inTests.startsWith('run with --app');
}

function consent(user: string, decision: 'grant' | 'deny' = 'grant'): ControlRequest {
  return { method: 'PUT', path: '/auto-consent', body: { user, decision } };
}

function tokenForm(form: 'profile' | 'every-character' | 'long'): ControlRequest {
  return { method: 'PUT', path: '/token-form', body: { form } };
}

function situationsByHand(names: Names): Readonly<Record<SituationId, ByHand>> {
  const { first, second, lifetime, authUrl, baseUrl } = names;
  const expire: ControlRequest = {
    method: 'POST',
    path: '/clock/advance',
    body: { seconds: Math.ceil(lifetime) + 1 },
  };
  const failedExchange = (one: Omit<Fault, 'route'>): ByHand => ({
    before: [fault({ route: 'token', ...one })],
    act: 'Sign in. The sign-in fails. Then list.',
    after: [CLEAR],
    next: SIGN_IN_AGAIN,
  });
  const refused = (one: Omit<Fault, 'route'>): ByHand => ({
    before: [fault({ route: 'list', ...FOR_EVER, ...one })],
    act: LIST_FAILS,
    after: [CLEAR],
  });
  const tolerant = (before: ControlRequest, after: ControlRequest): ByHand => ({
    before: [before],
    act: 'Sign in, and list. Expire the token (POST /clock/advance), and list.',
    after: [after],
  });
  const fields = (added: Fault['fields']) =>
    fault({ route: 'token', kind: 'fields', fields: added, ...FOR_EVER });
  const retired = fault({ route: 'any', kind: 'status', status: 410, ...FOR_EVER });
  const hostile = (change: string): ByHand => ({
    act: `Begin a sign-in. Deliver its callback ${change}. The application refuses it.`,
  });
  return {
    ...atExpiry(expire),
    flow: { act: 'Sign in. List, assign and unassign.', after: [expire], next: 'List.' },
    'second-user': {
      before: [consent(second)],
      act: 'Sign in as a second user. List as each user.',
      after: [consent(first), expire],
      next: 'List as the second user, then as the first.',
    },
    'second-user-meanwhile': {
      before: [expire, hold({ ...REFRESH, until: 2 })],
      act: 'List as two users at the same time.',
      after: [RELEASE],
      next: 'List as each user.',
    },
    denial: {
      before: [consent(first, 'deny')],
      act: 'Sign in. Deliver the callback, which holds an error.',
      after: [consent(first)],
      next: SIGN_IN_AGAIN,
    },
    'another-host': { act: 'Sign in under another host name of the application, such as localhost.' },
    'state-wrong': hostile('with another state: made up, shortened, lengthened, in other letter case'),
    'state-missing': hostile('without a state, and with an empty one'),
    'state-replayed': hostile('with the state of an earlier sign-in'),
    'foreign-code': { act: 'Begin a sign-in in one browser. Deliver its callback in another browser.' },
    'unknown-code': hostile('with a code that was never issued'),
    'callback-reloaded': { act: 'Deliver the callback of the last sign-in again, in the same browser.' },
    'callback-twice': {
      before: [hold({ route: 'token', until: 2 })],
      act: 'Sign in. Deliver the callback twice at the same time.',
      after: [RELEASE],
    },
    'exchange-late': {
      before: [fault({ route: 'token', kind: 'delay', milliseconds: 1_500 })],
      act: 'Sign in, and list.',
      after: [CLEAR],
    },
    'exchange-lost': failedExchange({ kind: 'reset', afterEffect: true }),
    'exchange-500': failedExchange({ kind: 'status', status: 500 }),
    'exchange-503': failedExchange({ kind: 'status', status: 503, retryAfter: 2 }),
    'exchange-html': failedExchange({ kind: 'html', status: 502 }),
    'exchange-truncated': failedExchange({ kind: 'truncate' }),
    'exchange-wrong-type': failedExchange({ kind: 'content-type', contentType: 'text/html' }),
    'exchange-redirected': failedExchange({
      kind: 'status',
      status: 307,
      headers: { Location: elsewhere(baseUrl, REDIRECTED_TO) },
      ...FOR_EVER,
    }),
    'exchange-stalled': failedExchange({ kind: 'stall', ...FOR_EVER }),
    'token-type-capital': tolerant(fields({ token_type: 'Bearer' }), CLEAR),
    'additional-fields': tolerant(fields({ created_at: 1, error: null }), CLEAR),
    'token-characters': tolerant(tokenForm('every-character'), tokenForm('profile')),
    'token-length': tolerant(tokenForm('long'), tokenForm('profile')),
    'unauthorized-always': refused({ kind: 'refusal', reason: 'token-revoked' }),
    forbidden: refused({ kind: 'refusal', reason: 'scope-insufficient' }),
    'call-429-seconds': refused({ kind: 'status', status: 429, retryAfter: 2 }),
    'call-429-date': refused({ kind: 'status', status: 429, retryAfter: 3, retryAfterForm: 'date' }),
    'call-503-seconds': refused({ kind: 'status', status: 503, retryAfter: 2 }),
    'call-503-date': refused({ kind: 'status', status: 503, retryAfter: 3, retryAfterForm: 'date' }),
    'call-stalled': { ...refused({ kind: 'stall' }), next: 'List.' },
    'call-redirected': refused({
      kind: 'status',
      status: 307,
      headers: { Location: elsewhere(authUrl, LIST_REDIRECTED_TO) },
    }),
    'unknown-project': { act: 'List the users of project 999999. The call fails.' },
    'awkward-ids': { act: 'Assign and unassign the user `a+b c%`. List the project `roof?half#7`.' },
    'list-empty': { act: `List the users of project ${EMPTY_PROJECT}.` },
    'list-long': { act: 'List a project to which your seed assigns 10,000 users.' },
    brownout: {
      before: [expire, retired],
      act: 'List twice. Send `DELETE /faults`, and list.',
      after: [CLEAR],
    },
    'sunset-header': { act: 'With `emulate --announce-end`: list.' },
    gone: { before: [retired, expire], act: 'List twice. Both calls fail.', after: [CLEAR] },
    retired: refused({
      kind: 'status',
      status: 410,
      headers: { Sunset: 'Sun, 31 Jan 2027 00:00:00 GMT' },
    }),
  };
}

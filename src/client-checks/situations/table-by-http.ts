import type { SituationId } from '../../document/load-client-requirements.ts';
import type { Fault } from '../../emulator/control-types.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from '../evaluate/rules/token-requests.ts';
import { EMPTY_PROJECT } from '../service.ts';
import {
  type ByHand,
  CLEAR,
  type ControlRequest,
  consent,
  FOR_EVER,
  fault,
  hold,
  LIST_FAILS,
  REFRESH,
  RELEASE,
  SIGN_IN_AGAIN,
  tokenForm,
} from './control-requests.ts';
import { atExpiry } from './expiry-by-http.ts';

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

/** Returns the requests and acts of each situation of `client --app`. */
export function situationsByHand({
  first,
  second,
  lifetime,
  authUrl,
  baseUrl,
}: Names): Readonly<Record<SituationId, ByHand>> {
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
      before: [expire, hold({ ...REFRESH, until: 2, limitMs: 1_500 })],
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
      before: [hold({ route: 'token', until: 2, limitMs: 1_500 })],
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
    'token-type-capital': tolerant(
      fault({ route: 'token', kind: 'fields', fields: { token_type: 'Bearer' }, ...FOR_EVER }),
      CLEAR,
    ),
    'additional-fields': tolerant(
      fault({ route: 'token', kind: 'fields', fields: { created_at: 1, error: null }, ...FOR_EVER }),
      CLEAR,
    ),
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
      before: [expire, fault({ route: 'any', kind: 'status', status: 410, ...FOR_EVER })],
      act: 'List twice. Send `DELETE /faults`, and list.',
      after: [CLEAR],
    },
    'sunset-header': { act: 'With `emulate --announce-end`: list.' },
    gone: {
      before: [fault({ route: 'any', kind: 'status', status: 410, ...FOR_EVER }), expire],
      act: 'List twice. Both calls fail.',
      after: [CLEAR],
    },
    retired: refused({
      kind: 'status',
      status: 410,
      headers: { Sunset: 'Sun, 31 Jan 2027 00:00:00 GMT' },
    }),
  };
}

/** Uses another name of loopback: a client must not take its secrets to another host. */
function elsewhere(origin: string, path: string): string {
  const url = new URL(path, origin);
  url.hostname = 'localhost';
  return url.href;
}

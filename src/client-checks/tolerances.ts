import { isLoopback } from '../document/input/loopback.ts';
import {
  lenientRedirects as atAuthorization,
  granting,
  responseType,
} from '../emulator/defects/4-1-authorization-request.ts';
import { addressOptional, lenientExchanges as atExchange } from '../emulator/defects/4-2-exchange.ts';
import { identifying, missingSecret } from '../emulator/defects/at-token-endpoint.ts';
import { type Changes, changing, type Defect, defect, together } from '../emulator/defects/define-defect.ts';
import type { WholeProfile } from '../emulator/policy/profile.ts';
import { EVERY_SCOPE } from '../emulator/store/scopes.ts';
import { FORM_TYPE, isOtherResource, type Sent, type Watched } from './evaluate/journal.ts';
import { failedAt204 } from './evaluate/rules/calls.ts';
import { withoutCookies } from './evaluate/rules/sign-in.ts';
import { onlyInAddress } from './evaluate/rules/token-requests.ts';

/** A deviation that the emulator accepts once a client has shown it, so that it does not hide the others. */
export interface Tolerance {
  /** Completes "the emulator then accepted …". */
  readonly accepts: string;
  readonly isNeeded: (flow: Watched) => boolean;
  readonly answers?: Partial<WholeProfile['answers']>;
  readonly changes?: Changes;
  /** The browser's, not the service's. */
  readonly ignoresSameSite?: true;
}

/** Ends of addresses that libraries guess, such as `/oauth/refresh_token`. */
const TOKEN_PATH = /(?:token|refresh)\/?$/;

const WITHOUT_SECRET: readonly string[] = ['client-secret-missing-on-refresh', 'client-missing-on-refresh'];

export const TOLERANCES: readonly Tolerance[] = [
  {
    accepts: 'HTTP Basic',
    isNeeded: (flow) => isInVain(flow, ({ authentication }) => authentication === 'basic'),
    // One that sends both at times would be refused only now.
    answers: {
      'client-authentication.basic': true,
      'client-authentication.basic-and-form': true,
      // RFC 6749 section 2.3.1: strict libraries encode what needs no encoding.
      'client-authentication.basic-encoding': 'form',
    },
  },
  {
    accepts: 'JSON bodies at the token endpoint',
    isNeeded: (flow) => isInVain(flow, ({ mediaType }) => mediaType === 'application/json'),
    answers: { 'client-authentication.json-body': true },
  },
  {
    accepts: 'multipart bodies at the token endpoint',
    isNeeded: (flow) => isInVain(flow, ({ mediaType }) => mediaType === 'multipart/form-data'),
    answers: { 'client-authentication.multipart': true },
  },
  {
    accepts: 'parameters in the address at the token endpoint',
    isNeeded: (flow) => isInVain(flow, isInAddress, ({ status = 0 }) => status >= 400),
    answers: { 'client-authentication.query-string': true },
    changes: changing('client.parameters', (base) => (request) => {
      const isGet = request.method === 'GET' && request.query !== '';
      return base(isGet ? { ...request, method: 'POST', body: '' } : request);
    }),
  },
  {
    accepts: 'token requests at another address',
    isNeeded: ({ entries }) =>
      entries.some(
        ({ method, path, status }) => method === 'POST' && status === 404 && TOKEN_PATH.test(path),
      ),
    changes: changing('answer.path', (base) => (path) => base(TOKEN_PATH.test(path) ? '/oauth/token' : path)),
  },
  {
    accepts: 'another redirect_uri at the exchange, or none',
    isNeeded: (flow) => wasRefused(flow, 'code-redirect-uri-different', 'redirect-uri-missing'),
    changes: together(
      addressOptional((sent) => !sent),
      atExchange(() => true),
    ),
  },
  {
    accepts: 'a refresh without client_secret, or without both',
    isNeeded: ({ entries }) =>
      entries.some((entry) => WITHOUT_SECRET.includes(entry.refusal?.finer ?? '') && !isInAddress(entry)),
    changes: identifying('refresh_token', (sent, applications) =>
      sent.clientId === undefined && sent.clientSecret === undefined
        ? [...applications.values()][0]
        : missingSecret(sent, applications),
    ),
  },
  {
    accepts:
      'calls without the scope that its default profile wants: ask for destroy, or drop calls.unassign',
    isNeeded: (flow) => wasRefused(flow, 'scope-insufficient'),
    changes: changing('token.permits', () => () => undefined),
  },
  {
    accepts: 'unknown and missing scopes',
    isNeeded: (flow) => wasRefused(flow, 'scope-unknown', 'scope-missing'),
    changes: granting((request, base) => {
      const scopes = base(request);
      return 'refused' in scopes ? EVERY_SCOPE : scopes;
    }),
  },
  {
    accepts: 'a missing response_type',
    isNeeded: (flow) => wasRefused(flow, 'response-type-missing'),
    changes: responseType((value) => value === undefined),
  },
  {
    accepts: 'another redirect address of the same host',
    isNeeded: ({ entries, redirectUri }) =>
      entries.some(
        (entry) =>
          entry.refusal?.refused === 'redirect-uri-unauthorized' &&
          entry.asked.getAll('redirect_uri').some((asked) => isSameHost(asked, redirectUri)),
      ),
    changes: atAuthorization(isSameHost),
  },
  {
    accepts: 'cookies that a browser does not send on the way from the service',
    isNeeded: (flow) => flow.gap !== undefined && withoutCookies(flow).length > 0,
    ignoresSameSite: true,
  },
  {
    accepts: 'no empty answer: it answered an unassign with JSON',
    isNeeded: (flow) => failedAt204(flow).length > 0,
    answers: {
      'operation-answers.unassign.status': 200,
      'operation-answers.unassign.content-type': 'application/json; charset=utf-8',
      'operation-answers.unassign.body': { id: 'number', name: 'string', email: 'string' },
    },
  },
  {
    accepts: 'a client that refuses additional fields: its token responses had the documented ones alone',
    isNeeded: ({ gap, exchanges, entries, operations }) =>
      gap !== undefined &&
      operations.length === 0 &&
      !entries.some(isOtherResource) &&
      exchanges.some(({ gotTokens }) => gotTokens),
    answers: { 'token-response-fields.extra-fields': [] },
  },
];

/** Returns the profile and the changes of a service with these tolerances. */
export function withTolerances(
  profile: WholeProfile,
  tolerances: readonly Tolerance[],
): { readonly profile: WholeProfile; readonly defects: readonly Defect[] } {
  const answers = tolerances.map((one) => one.answers ?? {});
  return {
    profile: { ...profile, answers: Object.assign({}, profile.answers, ...answers) },
    defects: tolerances.flatMap(({ accepts, changes }) =>
      changes === undefined ? [] : [defect(accepts, changes)],
    ),
  };
}

/** True if a token request of this kind was refused, and the same code or token was not sent again as documented. */
function isInVain(
  { tokenRequests: sent }: Watched,
  isOfKind: (entry: Sent) => boolean,
  isRefusedForIt = ({ isClientRefused, refusal }: Sent) =>
    isClientRefused || refusal?.refused === 'media-type-unsupported',
): boolean {
  const ways = sent.filter(
    ({ authentication, mediaType }) => authentication === 'form' && mediaType === FORM_TYPE,
  );
  return sent.some(
    (entry) =>
      isOfKind(entry) &&
      isRefusedForIt(entry) &&
      !ways.some(
        ({ presented: { code, refreshToken } }) =>
          code === entry.presented.code && refreshToken === entry.presented.refreshToken,
      ),
  );
}

function isInAddress(entry: Sent): boolean {
  return onlyInAddress(entry).length > 0;
}

function wasRefused({ entries }: Watched, ...reasons: readonly string[]): boolean {
  return entries.some(({ refusal }) => reasons.includes(refusal?.refused ?? ''));
}

/** True for addresses of one host and port: a code must not leave the machine because a client names another host. */
function isSameHost(asked: string, known = ''): boolean {
  const [one, other] = [URL.parse(asked), URL.parse(known)];
  if (one === null || other === null || one.protocol !== other.protocol) return false;
  const isBothHere = isLoopback(one.hostname) && isLoopback(other.hostname);
  return one.port === other.port && (one.hostname === other.hostname || isBothHere);
}

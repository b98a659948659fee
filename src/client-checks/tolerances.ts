import { isLoopback } from '../document/input/loopback.ts';
import { type Changes, changing, type Defect, defect } from '../emulator/defects/define-defect.ts';
import type { WholeProfile } from '../emulator/profile.ts';
import { ALL_SCOPES } from '../emulator/scopes.ts';
import type { Episode } from './evaluate/episode.ts';
import {
  authorizationParameters,
  clientRefused,
  mediaTypeOf,
  tokenRequests,
  valuesOf,
} from './evaluate/journal.ts';
import { failedAt204 } from './evaluate/rules/calls.ts';
import { withoutCookies } from './evaluate/rules/sign-in.ts';

/** A deviation that the emulator accepts once a client has shown it, so that it does not hide the others. */
export interface Tolerance {
  /** Completes "the emulator then accepted …". */
  readonly accepts: string;
  /** True if a flow shows that the client needs it. */
  readonly isNeeded: (flow: Episode) => boolean;
  readonly answers?: Partial<WholeProfile['answers']>;
  readonly changes?: Changes;
  /** The browser's, not the service's. */
  readonly ignoresSameSite?: true;
}

export const TOLERANCES: readonly Tolerance[] = [
  {
    accepts: 'HTTP Basic',
    isNeeded: (flow) => isInVain(flow, ({ authentication }) => authentication === 'basic'),
    answers: { 'client-authentication.basic': true },
  },
  {
    accepts: 'JSON bodies at the token endpoint',
    isNeeded: (flow) => isInVain(flow, (entry) => mediaTypeOf(entry) === 'application/json'),
    answers: { 'client-authentication.json-body': true },
  },
  {
    accepts: 'unknown and missing scopes',
    isNeeded: (flow) => wasRefused(flow, 'scope-unknown', 'scope-missing'),
    changes: changing('authorize.scopes', (base) => (request) => {
      const scopes = base(request);
      return 'refused' in scopes ? ALL_SCOPES : scopes;
    }),
  },
  {
    accepts: 'a missing response_type',
    isNeeded: (flow) => wasRefused(flow, 'response-type-missing'),
    changes: changing(
      'authorize.responseType',
      (base) => (request) => (request.responseType === undefined ? undefined : base(request)),
    ),
  },
  {
    accepts: 'another redirect address of the same host',
    isNeeded: ({ entries, redirectUri }) =>
      entries.some(
        (entry) =>
          entry.refusal?.refused === 'redirect-uri-unauthorized' &&
          valuesOf(authorizationParameters(entry), 'redirect_uri').some((asked) =>
            isSameHost(asked, redirectUri),
          ),
      ),
    changes: changing('authorize.redirectUri', (base) => (request, application) => {
      const { redirectUri } = request;
      const isNear = application.redirectUris.some((known) => isSameHost(redirectUri, known));
      return redirectUri !== undefined && isNear ? redirectUri : base(request, application);
    }),
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
];

/** Returns the profile and the changes of a service with these tolerances. */
export function tolerating(
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

type Entry = Episode['entries'][number];

/** True if a token request of this kind was refused, and the same code or token was not sent again as documented. */
function isInVain(flow: Episode, isOfKind: (entry: Entry) => boolean): boolean {
  const sent = tokenRequests(flow);
  return sent.some(
    (entry) =>
      isOfKind(entry) &&
      (clientRefused(entry) || entry.refusal?.refused === 'media-type-unsupported') &&
      !sent.some(
        ({ authentication, presented }) =>
          authentication === 'form' &&
          presented.code === entry.presented.code &&
          presented.refreshToken === entry.presented.refreshToken,
      ),
  );
}

function wasRefused({ entries }: Episode, ...reasons: readonly string[]): boolean {
  return entries.some(({ refusal }) => reasons.includes(refusal?.refused ?? ''));
}

/** True for addresses of one host and port: a code must not leave the machine because a client names another host. */
function isSameHost(asked: string | undefined, known: string | undefined): boolean {
  const [one, other] = [URL.parse(asked ?? ''), URL.parse(known ?? '')];
  if (one === null || other === null || one.protocol !== other.protocol) return false;
  const isBothHere = isLoopback(one.hostname) && isLoopback(other.hostname);
  return one.port === other.port && (one.hostname === other.hostname || isBothHere);
}

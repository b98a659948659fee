import { headerOf } from '../../http/exchange.ts';
import { type ServiceAnswer, withHeader } from '../answer.ts';
import { formatForm } from '../parameters.ts';
import type {
  AuthorizationOutcome,
  AuthorizePolicy,
  ReceivedAuthorizationRequest,
} from '../policy/policy.ts';
import { refuse } from '../refusal.ts';
import type { Scopes } from '../store/scopes.ts';
import { type Changes, changing, type Defects, type StatedDefect } from './define-defect.ts';

export function redirecting(change: (outcome: AuthorizationOutcome) => AuthorizationOutcome): Changes {
  return changing('answer.authorization', (base) => (outcome) => base(change(outcome)));
}

export function relocated(redirect: ServiceAnswer, change: (address: string) => string): ServiceAnswer {
  return withHeader(redirect, 'Location', change(headerOf(redirect, 'Location') ?? ''));
}

export function redirectingWithStatus(status: number): Changes {
  return changing('answer.authorization', (base) => (outcome) => ({ ...base(outcome), status }));
}

export function responseType(accepts: (value: string | undefined) => boolean): Changes {
  return changing(
    'authorize.responseType',
    (base) => (request) => (accepts(request.responseType) ? undefined : base(request)),
  );
}

export function lenientRedirects(matches: (asked: string, known: string) => boolean): Changes {
  return changing('authorize.redirectUri', (base) => (request, application) => {
    const asked = request.redirectUri;
    if (asked !== undefined && application.redirectUris.some((known) => matches(asked, known))) return asked;
    return base(request, application);
  });
}

export const UNAUTHORIZED: StatedDefect['breaks'] = [
  'authorize.redirect-uri-authorized',
  'authorize.bad-redirect-uri-not-followed',
];

type Granted = ReturnType<AuthorizePolicy['scopes']>;

export function granting(
  grant: (
    request: ReceivedAuthorizationRequest,
    base: (request: ReceivedAuthorizationRequest) => Granted,
  ) => Granted,
): Changes {
  return changing('authorize.scopes', (base) => (request) => grant(request, (changed) => base(changed)));
}

export function refusing(refuses: (scopes: Scopes, written: readonly string[]) => boolean): Changes {
  return granting((request, base) => {
    const scopes = base(request);
    if ('refused' in scopes || !refuses(scopes, request.scope?.split(' ') ?? [])) return scopes;
    return refuse('scope-unknown', `these scopes are not granted: ${request.scope}`, 'scope');
  });
}

export function reading(read: (query: string) => string): Changes {
  return changing('authorize.parameters', (base) => (query) => base(read(query)));
}

export function returning(change: (state: string) => string | undefined): Changes {
  return redirecting((outcome) => withState(outcome, change));
}

export function returningOnDenial(change: (state: string) => string | undefined): Changes {
  return changing(
    'answer.authorizeFailure',
    (base) => (refusal, request, redirectUri) =>
      base(refusal, refusal.refused === 'access-denied' ? withState(request, change) : request, redirectUri),
  );
}

function withState<T extends Pick<AuthorizationOutcome, 'state'>>(
  { state, ...rest }: T,
  change: (state: string) => string | undefined,
): Omit<T, 'state'> & { readonly state?: string } {
  const changed = state === undefined ? undefined : change(state);
  return { ...rest, state: changed };
}

export const defects: Defects = {
  'authorize-code-in-fragment': {
    summary: "The code comes in the fragment of the redirect, where the client's server never sees it.",
    breaks: ['authorize.redirects-with-code'],
    changes: changing('answer.authorization', (base) => (outcome) => {
      const redirect = base({ ...outcome, parameters: [] });
      return relocated(redirect, (address) => `${address}#${formatForm(outcome.parameters)}`);
    }),
  },

  'authorize-code-empty': {
    summary: 'The redirect has a parameter code with nothing in it.',
    breaks: ['authorize.redirects-with-code'],
    changes: redirecting((outcome) => ({ ...outcome, parameters: [['code', '']] })),
  },

  'authorize-state-demanded': {
    summary: 'An authorization request without state is refused.',
    breaks: ['authorize.redirects-with-code'],
    changes: changing('authorize.request', (base) => (parameters) => {
      const request = base(parameters);
      if ('refused' in request || request.state !== undefined) return request;
      return refuse('parameter-repeated', 'no state came, and it is demanded');
    }),
  },

  'authorize-redirect-query-dropped': {
    summary: 'The query of the authorized address is dropped when the code is added.',
    breaks: ['authorize.redirect-query-kept'],
    changes: redirecting((outcome) => ({ ...outcome, redirectUri: outcome.redirectUri.split('?')[0] ?? '' })),
  },

  'authorize-redirect-307': {
    summary:
      'The redirect after the consent form has status 307, so that the browser sends the form on to the client.',
    breaks: ['authorize.no-307'],
    changes: redirectingWithStatus(307),
  },
  'authorize-consent-never-asked': {
    summary: 'The user is never asked, and a code goes out as soon as a user is signed in.',
    breaks: ['authorize.grant-needed'],
    changes: changing('authorize.consentNeeded', () => () => false),
  },

  'authorize-denial-grants': {
    summary: 'Whichever button the user presses, the client gets a code.',
    breaks: ['authorize.grant-needed', 'authorize.denial-redirects'],
    changes: changing(
      'authorize.decision',
      (base) => (submitted) => (base(submitted) === undefined ? undefined : 'grant'),
    ),
  },

  'authorize-denial-ends-on-page': {
    summary: 'A denial ends on a page of the service, and the client hears nothing.',
    breaks: ['authorize.denial-redirects', 'authorize.state-echoed-on-denial'],
    changes: changing(
      'answer.authorizeFailure',
      (base) => (refusal, request, redirectUri) =>
        base(refusal, request, refusal.refused === 'access-denied' ? undefined : redirectUri),
    ),
  },

  'authorize-redirect-unchecked': {
    summary: 'The code goes to any address that the request names.',
    reference: 'anomalyco/openauth#299',
    breaks: [...UNAUTHORIZED, 'authorize.redirect-uri-exact'],
    changes: lenientRedirects(() => true),
  },

  'authorize-scope-needs-read': {
    summary: 'No scope is granted without read beside it.',
    breaks: ['authorize.scope-each', 'authorize.scope-combined'],
    changes: refusing((asked) => !asked.includes('read')),
  },

  'authorize-one-scope-only': {
    summary: 'A request for more than one scope is refused.',
    breaks: ['authorize.redirects-with-code'],
    changes: refusing((asked) => asked.length > 1),
  },

  'authorize-plus-kept': {
    summary: 'A plus sign in the query is not read as a space, so that several scopes are one unknown scope.',
    breaks: ['authorize.redirects-with-code', 'authorize.scope-plus'],
    changes: reading((query) => query.replaceAll('+', '%2B')),
  },

  'authorize-percent20-kept': {
    summary: 'An encoded space in the query is not read as one.',
    breaks: ['authorize.scope-percent20'],
    changes: reading((query) => query.replaceAll('%20', '%2520')),
  },

  'authorize-state-dropped': {
    summary: 'A state does not come back beside the code.',
    breaks: ['authorize.state-echoed'],
    changes: returning(() => undefined),
  },

  'authorize-state-dropped-on-denial': {
    summary: 'A state does not come back when the user denies.',
    reference: 'thephpleague/oauth2-server#597',
    breaks: ['authorize.state-echoed-on-denial'],
    changes: returningOnDenial(() => undefined),
  },

  'authorize-code-unencoded': {
    summary:
      'A code with a plus sign in it is put into the redirect as it is, so that the client reads a space.',
    severity: 'subtle',
    breaks: ['authorize.redirects-with-code'],
    changes: (policy) => ({
      code: { value: (randomness) => `${policy.code.value(randomness)}+/=` },
      ...changing(
        'answer.authorization',
        (base) => (outcome) => relocated(base(outcome), (address) => address.replace('%2B%2F%3D', '+/=')),
      )(policy),
    }),
  },
};

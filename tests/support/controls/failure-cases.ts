import type { Options as Answers } from './options/options.ts';

/** Answers to failures, each a complete set of cases under a name. */

type ResourceCases = Answers['resource-failures']['cases'];
type TokenCases = Answers['token-failures']['cases'];
type AuthorizeCases = Answers['authorize-failures']['cases'];

const RESOURCE_REASONS = [
  'token-missing',
  'token-unknown',
  'token-expired',
  'token-revoked',
  'scope-insufficient',
  'project-unknown',
  'user-unknown',
  'user-not-assigned',
  'path-unknown',
  'body-too-large',
] as const satisfies readonly (keyof ResourceCases)[];

const TOKEN_REASONS = [
  'grant-type-missing',
  'grant-type-unsupported',
  'code-missing',
  'redirect-uri-missing',
  'refresh-token-missing',
  'client-missing',
  'client-missing-on-refresh',
  'client-unknown',
  'client-secret-wrong',
  'client-authenticated-twice',
  'code-unknown',
  'code-used',
  'code-expired',
  'code-of-other-client',
  'code-redirect-uri-different',
  'code-verifier-wrong',
  'refresh-token-unknown',
  'refresh-token-revoked',
  'refresh-token-expired',
  'refresh-token-of-other-client',
  'refresh-too-early',
  'scope-wider',
  'scope-unwanted',
  'parameter-repeated',
  'body-unreadable',
  'body-too-large',
  'media-type-unsupported',
] as const satisfies readonly (keyof TokenCases)[];

const AUTHORIZE_REASONS = [
  'client-id-missing',
  'client-id-unknown',
  'redirect-uri-missing',
  'redirect-uri-unauthorized',
  'response-type-missing',
  'response-type-unsupported',
  'scope-missing',
  'scope-unknown',
  'parameter-repeated',
  'access-denied',
] as const satisfies readonly (keyof AuthorizeCases)[];

/** The same answer, or one that depends on the reason, for every reason. */
function each<R extends string, T>(reasons: readonly R[], answer: (reason: R) => T): Record<R, T> {
  return Object.fromEntries(reasons.map((reason) => [reason, answer(reason)])) as Record<R, T>;
}

const isAboutToken = (reason: string) => reason.startsWith('token-');

/** Refusals of the resource API. A 401 without a challenge breaks RFC 6750 section 3; all else is open. */
export const RESOURCE_CASES: ReadonlyMap<string, ResourceCases> = new Map<string, ResourceCases>([
  [
    '401, 403, 404',
    each(RESOURCE_REASONS, (reason) => {
      if (isAboutToken(reason)) return { status: 401, challenge: 'invalid_token', description: reason };
      const status = reason === 'scope-insufficient' ? 403 : 404;
      return { status, ...(status === 403 ? { challenge: 'insufficient_scope' } : {}), description: reason };
    }),
  ],
  ['404 for everything', each(RESOURCE_REASONS, () => ({ status: 404, description: 'not found' }))],
  [
    'bodies of their own',
    {
      ...each(RESOURCE_REASONS, (reason) => ({
        status: isAboutToken(reason) ? 401 : 404,
        ...(isAboutToken(reason) ? { challenge: '' } : {}),
        description: reason,
      })),
      'token-unknown': {
        status: 401,
        challenge: 'invalid_token',
        description: 'no such token',
        body: 'none',
      },
      'project-unknown': { status: 404, description: 'No project', body: 'text', contentType: 'text/html' },
      'user-unknown': { status: 404, description: 'nobody', body: 'json', shape: { reason: 'string' } },
    },
  ],
  [
    '401 for everything',
    each(RESOURCE_REASONS, () => ({ status: 401, challenge: '', description: 'not authorized' })),
  ],
  ['403 for everything', each(RESOURCE_REASONS, () => ({ status: 403, description: 'forbidden' }))],
  [
    'no challenge',
    each(RESOURCE_REASONS, (reason) => ({ status: isAboutToken(reason) ? 401 : 422, description: reason })),
  ],
]);

/** Reasons that a profile need not tell apart. */
const FINER_REASONS = [
  'client-secret-missing',
  'client-secret-missing-on-refresh',
  'client-unknown-on-refresh',
  'client-secret-wrong-on-refresh',
  'grant-type-missing-on-refresh',
  'scope-narrower',
] as const satisfies readonly (keyof TokenCases)[];

/** The error that RFC 6749 section 5.2 has for each reason. */
function fitting(reason: (typeof TOKEN_REASONS | typeof FINER_REASONS)[number]): string {
  if (reason === 'grant-type-missing-on-refresh') return 'invalid_request';
  if (reason.startsWith('client-') && reason !== 'client-authenticated-twice') return 'invalid_client';
  if (reason === 'grant-type-unsupported') return 'unsupported_grant_type';
  if (reason.startsWith('scope-')) return 'invalid_scope';
  if (/-missing$|^parameter|^body|^media|twice$/.test(reason)) return 'invalid_request';
  return 'invalid_grant';
}

/** Refusals of the token endpoint. */
export const TOKEN_CASES: ReadonlyMap<string, TokenCases> = new Map<string, TokenCases>([
  [
    'by the RFC',
    each(TOKEN_REASONS, (reason) => {
      const error = fitting(reason);
      return { status: error === 'invalid_client' ? 401 : 400, error, description: `{parameter}: ${reason}` };
    }),
  ],
  [
    'each told apart',
    {
      ...each([...TOKEN_REASONS, ...FINER_REASONS], (reason) => {
        const error = fitting(reason);
        return {
          status: error === 'invalid_client' ? 401 : 400,
          error,
          description: reason,
          challenged: error === 'invalid_client',
        };
      }),
      'code-expired': {
        status: 400,
        error: 'invalid_grant',
        description: 'late',
        shape: { error: 'string' },
      },
      'body-unreadable': { status: 400, error: 'invalid_request', description: 'what?', body: 'text' },
      'code-verifier-wrong': { status: 400, error: 'invalid_grant', description: 'no', body: 'none' },
      'media-type-unsupported': {
        status: 415,
        error: 'invalid_request',
        description: 'no',
        body: 'json',
        contentType: 'application/problem+json',
      },
    },
  ],
  [
    '400 for everything',
    each(TOKEN_REASONS, (reason) => ({ status: 400, error: fitting(reason), description: 'refused' })),
  ],
  [
    'everything 401',
    each(TOKEN_REASONS, (reason) => ({
      status: 401,
      error: reason === 'code-missing' ? 'invalid_grant' : fitting(reason),
      description: 'The request was refused.',
    })),
  ],
  [
    'own codes',
    each(TOKEN_REASONS, (reason) => ({ status: 422, error: reason.toUpperCase(), description: reason })),
  ],
  [
    'one code for all',
    each(TOKEN_REASONS, () => ({ status: 400, error: 'invalid_request', description: 'refused' })),
  ],
]);

/** Told to the client rather than to the user, or the other way round, one by one. */
const SOME_TOLD_TO_THE_CLIENT: AuthorizeCases = {
  ...pages(400, 'invalid_request'),
  'scope-missing': { ...page(400, 'invalid_request', 'scope-missing'), delivery: 'redirect' },
  'scope-unknown': { ...page(400, 'invalid_request', 'scope-unknown'), delivery: 'page' },
  'parameter-repeated': { ...page(400, 'invalid_request', 'parameter-repeated'), delivery: 'redirect' },
};

/** Refusals of the authorization endpoint, where they end on a page. */
export const AUTHORIZE_CASES: ReadonlyMap<string, AuthorizeCases> = new Map([
  ['200', pages(200, 'invalid_request')],
  ['400', pages(400, 'invalid_request')],
  ['404', pages(404, 'E404')],
  ['some told to the client', SOME_TOLD_TO_THE_CLIENT],
]);

function pages(status: number, error: string): AuthorizeCases {
  return each(AUTHORIZE_REASONS, (reason) => page(status, error, reason));
}

function page(status: number, error: string, reason: string) {
  return {
    status,
    error: reason === 'access-denied' ? 'access_denied' : error,
    description: `Something is wrong with this address: ${reason}.`,
  };
}

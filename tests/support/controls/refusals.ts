/** Answers to what is refused. Some factors have their bodies and challenges, others their statuses and errors. */
import type { AspectOf } from '../../../generated/ids.ts';
import { type AspectAnswer, aspectsOfPoint, namesOf } from '../../../src/document/profiles/aspects.ts';
import { type Answers, type Factor, value } from './factor.ts';

type Part = Readonly<Record<string, AspectAnswer>>;
type Point = 'resource-failures' | 'token-failures' | 'authorize-failures';

function each<P extends Point>(point: P, part: (aspect: AspectOf<P>) => Part): Answers {
  return Object.fromEntries(aspectsOfPoint(point).map((id) => [id, part(namesOf(id).aspect as AspectOf<P>)]));
}

const PROBLEM = 'application/problem+json';
const RESOURCE_BODIES: readonly Part[] = [
  { contentType: null, body: 'none' },
  { contentType: PROBLEM, body: 'none' },
  { contentType: 'application/json; charset=utf-8', body: { error: 'string' } },
  { contentType: PROBLEM, body: { errors: [{ status: 'string', detail: 'string' }] } },
  { contentType: 'text/plain; charset=utf-8', body: 'text' },
];

const isAboutToken = (aspect: string) => aspect.endsWith('-token');

/** Statuses and challenges of the resource API. A 401 without a challenge breaks RFC 6750 section 3; all else is open. */
const resourceRefusals: Factor = [
  value(
    each('resource-failures', (aspect) => {
      if (isAboutToken(aspect)) return { status: 401, challenge: 'Bearer invalid_token' };
      if (aspect === 'insufficient-scope') return { status: 403, challenge: 'Bearer insufficient_scope' };
      return { status: 404, challenge: null };
    }),
  ),
  value({
    ...each('resource-failures', () => ({ status: 404, challenge: null })),
  }),
  value({
    ...each('resource-failures', (aspect) =>
      isAboutToken(aspect) ? { status: 401, challenge: 'Bearer' } : { status: 404, challenge: null },
    ),
    'resource-failures.invalid-token': {
      status: 401,
      challenge: 'Bearer invalid_token',
      contentType: null,
      body: 'none',
    },
    'resource-failures.unknown-project': {
      status: 404,
      challenge: null,
      contentType: 'text/html',
      body: 'text',
    },
    'resource-failures.unknown-user': {
      status: 404,
      challenge: null,
      contentType: 'application/json; charset=utf-8',
      body: { reason: 'string' },
    },
  }),
  value(each('resource-failures', () => ({ status: 401, challenge: 'Bearer' }))),
  value(each('resource-failures', () => ({ status: 403, challenge: null }))),
  value(
    each('resource-failures', (aspect) => ({ status: isAboutToken(aspect) ? 401 : 422, challenge: null })),
    'resource.challenge',
  ),
];

const USUAL_BODY = { error: 'string', error_description: 'string' };
const ERROR_CODES = [
  'token.error-invalid-client',
  'token.error-invalid-grant',
  'token.error-unsupported-grant-type',
] as const;

const tokenBodies: Factor = [
  value(each('token-failures', () => ({ contentType: 'application/json', body: USUAL_BODY }))),
  value(
    each('token-failures', () => ({ contentType: 'application/json', body: { ...USUAL_BODY, id: 'null' } })),
  ),
  value(each('token-failures', () => ({ contentType: 'text/html; charset=utf-8', body: USUAL_BODY }))),
  value(
    each('token-failures', () => ({ contentType: 'text/html; charset=utf-8', body: 'text' })),
    ...ERROR_CODES,
    'token.error-json',
    'token.error-invalid-request',
  ),
];

const isAboutClient = (aspect: string) => /client-id|client-secret|unknown-client|wrong-secret/.test(aspect);

const tokenChallenges: Factor = [
  value(each('token-failures', () => ({ challenge: null }))),
  value(each('token-failures', (aspect) => ({ challenge: isAboutClient(aspect) ? 'Basic' : null }))),
  value(each('token-failures', () => ({ challenge: 'Bearer' }))),
];

/** The error that RFC 6749 section 5.2 has for each refusal. */
function fitting(aspect: string): string {
  if (isAboutClient(aspect)) return 'invalid_client';
  if (aspect.endsWith('unsupported-grant-type')) return 'unsupported_grant_type';
  if (aspect.endsWith('-scope')) return 'invalid_scope';
  return /\.(?:no-|duplicate|authenticated|media|unreadable)/.test(aspect)
    ? 'invalid_request'
    : 'invalid_grant';
}

const byTheRfc = each('token-failures', (aspect) => {
  const error = fitting(aspect);
  return { status: error === 'invalid_client' ? 401 : 400, error };
});

const tokenRefusals: Factor = [
  value(byTheRfc),
  value({
    ...byTheRfc,
    'token-failures.exchange.expired-code': {
      status: 400,
      error: 'invalid_grant',
      body: { error: 'string' },
    },
    'token-failures.exchange.wrong-verifier': { status: 400, contentType: null, body: 'none' },
  }),
  value({
    ...each('token-failures', (aspect) => ({ status: 400, error: fitting(aspect) })),
  }),
  value(
    each('token-failures', (aspect) => ({
      status: 401,
      error: aspect.endsWith('no-code') ? 'invalid_grant' : fitting(aspect),
    })),
    'token.error-invalid-request',
  ),
  value(
    each('token-failures', (aspect) => ({ status: 422, error: aspect.toUpperCase() })),
    ...ERROR_CODES,
    'token.error-json',
    'token.error-status',
    'token.error-invalid-request',
  ),
  value(
    {
      ...each('token-failures', () => ({ status: 400, error: 'invalid_request' })),
    },
    ...ERROR_CODES,
  ),
];

const pages = (status: number) => each('authorize-failures', () => ({ kind: 'page', status, error: null }));
const redirect = (error: string): Part => ({ kind: 'redirect', error });

/** Refusals of the authorization endpoint, on pages or told to the client. */
const authorizeRefusals: Factor = [
  ...[200, 400, 404].map((status) => value(pages(status))),
  ...['invalid_request', 'E404'].map((error) =>
    value({
      ...pages(400),
      'authorize-failures.no-response-type': redirect(error),
      'authorize-failures.unsupported-response-type': redirect(error),
      'authorize-failures.no-scope': redirect(error),
      'authorize-failures.unknown-scope': redirect(error),
    }),
  ),
  value({
    ...pages(400),
    'authorize-failures.no-scope': redirect('invalid_request'),
    'authorize-failures.duplicate-parameter': redirect('invalid_request'),
  }),
];

export const REFUSALS: readonly Factor[] = [
  RESOURCE_BODIES.map((part) => value(each('resource-failures', () => part))),
  resourceRefusals,
  tokenBodies,
  tokenChallenges,
  tokenRefusals,
  authorizeRefusals,
];

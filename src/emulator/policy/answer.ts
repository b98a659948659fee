import { bodyAnswer, emptyAnswer, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { errorPage } from '../pages/layout.ts';
import { CONTENT_SECURITY_POLICY } from '../pages/styles.ts';
import { formatForm } from '../parameters.ts';
import { AUTHORIZE_REASONS, reasonText, TOKEN_REASONS, type TokenReason } from '../refusal.ts';
import { formatScopes } from '../store/scopes.ts';
import { answerOfLook, challenge, varyingLines } from './answer-parts.ts';
import { resourceAnswers } from './answer-resource.ts';
import type { AnswerPolicy, AuthorizationOutcome, Endpoint, IssuedTokens } from './policy.ts';
import type { Answers, Departures, MethodAnswer, PageAnswer } from './profile.ts';

/** RFC 6749 section 5.1. */
const NO_STORE: HeaderLine = ['Cache-Control', 'no-store'];

const DOCUMENTED_FIELDS = ['access_token', 'token_type', 'expires_in', 'refresh_token'] as const;

function tokenAnswers(answers: Answers, tokenType = 'bearer'): Pick<AnswerPolicy, 'tokens' | 'tokenFailure'> {
  const contentType = answers['token-response-fields.content-type'];
  const fields = [...DOCUMENTED_FIELDS, ...answers['token-response-fields.extra-fields']];

  return {
    tokens(issued) {
      const body: Record<string, unknown> = {};
      for (const field of fields)
        body[field] = field === 'token_type' ? tokenType : fieldValue(field, issued);
      return bodyAnswer(200, contentType, JSON.stringify(body), [NO_STORE, ['Pragma', 'no-cache']]);
    },

    tokenFailure(refusal) {
      const reason = refusal.finer ?? refusal.refused;
      const answer = refusalOf(reason, answers);
      const text = reasonText(reason);
      const headers: HeaderLine[] = [NO_STORE];
      if (answer.challenge !== null)
        headers.push([
          'WWW-Authenticate',
          challenge(answer.challenge, answer.error ?? 'invalid_request', text),
        ]);
      return { ...answerOfLook(answer, { text, error: answer.error }, headers), refusal };
    },
  };
}

type RefusalAnswer = Exclude<Answers['token-failures.exchange.no-code'], 'accepted'>;

/** RFC 6749 section 5.2. */
const LAST: RefusalAnswer = {
  status: 400,
  error: 'invalid_request',
  contentType: 'application/json; charset=utf-8',
  body: { error: 'string', error_description: 'string' },
  challenge: null,
};

function refusalOf(reason: TokenReason, answers: Answers): RefusalAnswer {
  for (const aspect of TOKEN_REASONS[reason]) {
    const answer = answers[`token-failures.${aspect}`];
    if (typeof answer === 'object' && answer !== null) return answer;
  }
  return LAST;
}

function fieldValue(field: string, issued: IssuedTokens): string | number {
  switch (field) {
    case 'access_token':
      return issued.accessToken;
    case 'expires_in':
      return issued.expiresIn;
    case 'refresh_token':
      return issued.refreshToken;
    case 'scope':
      return formatScopes(issued.scopes);
    case 'created_at':
      return Math.floor(issued.issuedAt);
    default:
      return field;
  }
}

const PLAIN_PAGE: PageAnswer = { kind: 'page', status: 400, error: null };

function authorizeAnswers(
  answers: Answers,
): Pick<AnswerPolicy, 'authorization' | 'authorizeFailure' | 'page'> {
  function page(status: number, html: string): ServiceAnswer {
    return bodyAnswer(status, 'text/html; charset=utf-8', html, [
      ['Cache-Control', 'no-store'],
      ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
      ['X-Frame-Options', 'DENY'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  function authorization(outcome: AuthorizationOutcome, status = 302): ServiceAnswer {
    return emptyAnswer(status, [
      ['Location', redirectLocation(outcome)],
      ['Cache-Control', 'no-store'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  return {
    page,
    authorization: (outcome) => authorization(outcome),
    authorizeFailure(refusal, { state }, redirectUri) {
      const [aspect, usualError, text] = AUTHORIZE_REASONS[refusal.refused];
      const answer = answers[`authorize-failures.${aspect}`];
      const { kind, status, error } = typeof answer === 'object' ? answer : PLAIN_PAGE;
      if (kind === 'redirect' && redirectUri !== undefined) {
        const parameters = [
          ['error', error ?? usualError],
          ['error_description', text],
        ] as const;
        return { ...authorization({ redirectUri, parameters, state }, status ?? undefined), refusal };
      }
      // Without an authorized address there is no redirect.
      const shown = kind === 'page' ? (status ?? 400) : 400;
      const html = errorPage({
        status: shown,
        title: refusal.refused === 'access-denied' ? 'Access denied' : 'This request cannot be authorized',
        message: text,
        detail: refusal.parameter === undefined ? usualError : `${usualError}: ${refusal.parameter}`,
      });
      return { ...page(shown, html), refusal };
    },
  };
}
/**
 * Adds the outcome to the redirect address and keeps its existing query (RFC 6749 section 3.1.2). Percent-encodes everything but
 * visible ASCII, because header values permit nothing else.
 */
function redirectLocation({ redirectUri, parameters, state }: AuthorizationOutcome): string {
  const all = state === undefined ? parameters : [...parameters, ['state', state] as const];
  const separator = redirectUri.includes('?') ? '&' : '?';
  const address = `${redirectUri}${separator}${formatForm(all)}`.toWellFormed();
  return address.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

export function answerPolicy(answers: Answers, { tokenType }: Departures): AnswerPolicy {
  const extra = {
    pages: varyingLines(headersOf('pages', answers)),
    token: varyingLines(headersOf('token', answers)),
    resource: varyingLines(headersOf('resource', answers)),
  };
  const headIsGet = isHeadOfList(answers);

  return {
    ...authorizeAnswers(answers),
    ...tokenAnswers(answers, tokenType),
    ...resourceAnswers(answers),

    method: (method) => (method === 'HEAD' && headIsGet ? 'GET' : method),

    path: (path) => path,

    otherMethod(endpoint, method, allowed) {
      const path = pathOf(endpoint, allowed);
      const methods = answers[`other-methods.${path}`];
      const answer = methods[method] ?? methods.PATCH ?? NOT_ALLOWED;
      const headers: readonly HeaderLine[] = answer.allow ? [['Allow', allowed.join(', ')]] : [];
      return answerOfLook(answer, { text: 'Not allowed' }, headers);
    },

    finish(endpoint, answer) {
      const added = extra[kindOf(endpoint)]();
      return added.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...added] };
    },
  };
}

const NOT_ALLOWED: MethodAnswer = { status: 405, allow: true, contentType: null, body: 'none' };

function isHeadOfList(answers: Answers): boolean {
  const { HEAD: head } = answers['other-methods.assigned-users'];
  return (
    head !== undefined &&
    !head.allow &&
    head.status === answers['operation-answers.list.status'] &&
    head.contentType === answers['operation-answers.list.content-type']
  );
}

/** Of the resource API's paths, only the list's permits GET. */
function pathOf(endpoint: Endpoint, allowed: readonly string[]) {
  if (endpoint === 'authorize') return endpoint;
  if (endpoint === 'token' || endpoint === 'neighbour') return 'token';
  if (endpoint === 'page') return 'account-area';
  return allowed.includes('GET') ? 'assigned-users' : 'assigned-user';
}

type Family = 'pages' | 'token' | 'resource';

function kindOf(endpoint: Endpoint): Family {
  if (endpoint === 'authorize' || endpoint === 'page') return 'pages';
  return endpoint === 'token' || endpoint === 'neighbour' ? 'token' : 'resource';
}

/** Header names that need more than a capital after each hyphen. */
const SPELLED: Readonly<Record<string, string>> = { etag: 'ETag', 'content-md5': 'Content-MD5', dnt: 'DNT' };

function spelled(name: string): string {
  const known =
    SPELLED[name] ??
    name.replace(/(^|-)([a-z])/g, (_, before: string, c: string) => before + c.toUpperCase());
  return known.replace(/^(X-)?Ratelimit/, (_, x: string | undefined) => `${x ?? ''}RateLimit`);
}

function headersOf(family: Family, answers: Answers): readonly HeaderLine[] {
  const kinds = ['caching', 'cors', 'rate-limit', 'retirement', 'transport'] as const;
  return kinds.flatMap((kind) =>
    Object.entries(answers[`response-headers.${kind}`][family] ?? {}).map(
      ([name, value]): HeaderLine => [spelled(name), value],
    ),
  );
}

import { bodyAnswer, emptyTyped, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import type { AnswerPolicy, IssuedTokens } from '../policy.ts';
import type { Answers } from '../profile.ts';
import type { Refusal, TokenReason } from '../refusal.ts';
import { formatScopes } from '../scopes.ts';
import { challenge } from './challenge.ts';
import { filled } from './shapes.ts';
import { varyingLines } from './varying.ts';

/** The fields of clause 2.1. */
const DOCUMENTED_FIELDS = ['access_token', 'token_type', 'expires_in', 'refresh_token'] as const;

/** The token response (clause 2.1) and the refusals of the token endpoint, by open points 6 and 12. */
export function tokenAnswers(answers: Answers): Pick<AnswerPolicy, 'tokens' | 'tokenFailure'> {
  const success = answers['token-response-fields'];
  const failure = answers['token-failures'];
  const successHeaders = lines({ 'Cache-Control': success.cacheControl, Pragma: success.pragma });
  const listed = [...DOCUMENTED_FIELDS, ...success.extra];
  const fields = inOrder(listed, success.order);
  const headersOfFailure = varyingLines(lines({ 'Cache-Control': failure.cacheControl }));

  return {
    tokens(issued) {
      const body: Record<string, unknown> = {};
      for (const field of fields) body[field] = fieldValue(field, issued);
      return bodyAnswer(200, success.contentType, JSON.stringify(body), successHeaders);
    },

    tokenFailure(refusal): ServiceAnswer {
      const told = caseOf(failure.cases, refusal);
      const { status, error } = told;
      const description = told.description.replace('{parameter}', refusal.parameter ?? 'parameter');
      const shape = told.shape ?? failure.shape ?? RFC_6749;
      const kind = told.body ?? failure.body;
      const body = kind === 'json' ? filled(shape, description, status, error) : `${error}: ${description}\n`;
      const challenged =
        told.challenged ??
        (failure.challenge === 'every-failure' || (failure.challenge === 'status-401' && status === 401));
      const failureHeaders = headersOfFailure();
      const headers: readonly HeaderLine[] = challenged
        ? [
            ...failureHeaders,
            ['WWW-Authenticate', challenge(failure.challengeScheme, failure.realm, error, description)],
          ]
        : failureHeaders;
      if (kind === 'none') return { ...emptyTyped(status, told.contentType, headers), refusal };
      return { ...bodyAnswer(status, told.contentType ?? failure.contentType, body, headers), refusal };
    },
  };
}

/** RFC 6749 section 5.2. */
const RFC_6749 = { error: 'string', error_description: 'string' };

type Cases = Answers['token-failures']['cases'];

/** The answer to the finer reason, where the profile has one; without a secret a refresh is as an exchange is. */
function caseOf(cases: Cases, { refused, finer }: Refusal<TokenReason>): Cases[TokenReason] {
  if (finer === undefined) return cases[refused];
  const onRefresh = finer === 'client-secret-missing-on-refresh' ? cases['client-secret-missing'] : undefined;
  return cases[finer] ?? onRefresh ?? cases[refused];
}

function inOrder(
  fields: readonly string[],
  order: Answers['token-response-fields']['order'],
): readonly string[] {
  if (order === 'documented-first') return fields;
  return order === 'documented-last' ? fields.toReversed() : fields.toSorted();
}

function fieldValue(field: string, issued: IssuedTokens): string | number {
  switch (field) {
    case 'access_token':
      return issued.accessToken;
    case 'token_type':
      return 'bearer';
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

function lines(headers: Readonly<Record<string, string | undefined>>): readonly HeaderLine[] {
  return Object.entries(headers).filter((line): line is [string, string] => line[1] !== undefined);
}

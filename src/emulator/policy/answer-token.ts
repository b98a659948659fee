import { type Answer, bodyAnswer, type HeaderLine } from '../answer.ts';
import type { AnswerPolicy, IssuedTokens } from '../policy.ts';
import type { Answers } from '../profile.ts';
import { formatScopes } from '../scopes.ts';
import { challenge } from './challenge.ts';

/** The fields of clause 2.1. */
const DOCUMENTED_FIELDS = ['access_token', 'token_type', 'expires_in', 'refresh_token'] as const;

/** The token response (clause 2.1) and the refusals of the token endpoint, by open points 6 and 12. */
export function tokenAnswers(answers: Answers): Pick<AnswerPolicy, 'tokens' | 'tokenFailure'> {
  const success = answers['token-response-fields'];
  const failure = answers['token-failures'];
  const successHeaders = lines({ 'Cache-Control': success.cacheControl, Pragma: success.pragma });
  const listed = [...DOCUMENTED_FIELDS, ...success.extra];
  const fields = success.order === 'documented-first' ? listed : listed.toReversed();
  const failureHeaders = lines({ 'Cache-Control': failure.cacheControl });

  return {
    tokens(issued) {
      const body: Record<string, unknown> = {};
      for (const field of fields) body[field] = fieldValue(field, issued);
      return bodyAnswer(200, success.contentType, JSON.stringify(body), successHeaders);
    },

    tokenFailure(refusal): Answer {
      const { status, error, description: template } = failure.cases[refusal.refused];
      const description = template.replace('{parameter}', refusal.parameter ?? 'parameter');
      const body =
        failure.body === 'json'
          ? JSON.stringify({ error, error_description: description })
          : `${error}: ${description}\n`;
      const challenged =
        failure.challenge === 'every-failure' || (failure.challenge === 'status-401' && status === 401);
      const headers: readonly HeaderLine[] = challenged
        ? [
            ...failureHeaders,
            ['WWW-Authenticate', challenge(failure.challengeScheme, failure.realm, error, description)],
          ]
        : failureHeaders;
      return { ...bodyAnswer(status, failure.contentType, body, headers), refusal };
    },
  };
}

function fieldValue(
  field: (typeof DOCUMENTED_FIELDS)[number] | 'scope' | 'created_at',
  issued: IssuedTokens,
): string | number {
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
  }
}

function lines(headers: Readonly<Record<string, string | undefined>>): readonly HeaderLine[] {
  return Object.entries(headers).filter((line): line is [string, string] => line[1] !== undefined);
}

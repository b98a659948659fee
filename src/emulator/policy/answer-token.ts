import { bodyAnswer, type HeaderLine } from '../answer.ts';
import type { AnswerPolicy, IssuedTokens } from '../policy.ts';
import type { Answers } from '../profile.ts';
import { inWords, TOKEN_REASONS, type TokenReason } from '../refusal.ts';
import { formatScopes } from '../scopes.ts';
import { challenge, lookingAnswer } from './answer-parts.ts';

/** RFC 6749 section 5.1. */
const NO_STORE: HeaderLine = ['Cache-Control', 'no-store'];

const DOCUMENTED_FIELDS = ['access_token', 'token_type', 'expires_in', 'refresh_token'] as const;

export function tokenAnswers(
  answers: Answers,
  tokenType = 'bearer',
): Pick<AnswerPolicy, 'tokens' | 'tokenFailure'> {
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
      const text = inWords(reason);
      const headers: HeaderLine[] = [NO_STORE];
      if (answer.challenge !== null)
        headers.push([
          'WWW-Authenticate',
          challenge(answer.challenge, answer.error ?? 'invalid_request', text),
        ]);
      return { ...lookingAnswer(answer, { text, error: answer.error }, headers), refusal };
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

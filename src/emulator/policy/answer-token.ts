import { bodyAnswer, type HeaderLine } from '../answer.ts';
import type { AnswerPolicy, IssuedTokens } from '../policy.ts';
import type { Answers } from '../profile.ts';
import { type Refusal, TOKEN_REASONS, type TokenReason } from '../refusal.ts';
import { formatScopes } from '../scopes.ts';
import { challenge, lookingAnswer, varyingLines } from './answer-parts.ts';

const DOCUMENTED_FIELDS = ['access_token', 'token_type', 'expires_in', 'refresh_token'] as const;

export function tokenAnswers(
  answers: Answers,
  tokenType = 'bearer',
): Pick<AnswerPolicy, 'tokens' | 'tokenFailure'> {
  const contentType = answers['token-response-fields.content-type'];
  const successHeaders = lines({
    'Cache-Control': answers['token-response-fields.cache-control'],
    Pragma: answers['token-response-fields.pragma'],
  });
  const listed = [...DOCUMENTED_FIELDS, ...answers['token-response-fields.extra-fields']];
  const fields = inOrder(listed, answers['token-response-fields.order']);
  const realm = answers['token-failures.realm'];
  const failureHeaders = varyingLines(lines({ 'Cache-Control': answers['token-failures.cache-control'] }));

  return {
    tokens(issued) {
      const body: Record<string, unknown> = {};
      for (const field of fields)
        body[field] = field === 'token_type' ? tokenType : fieldValue(field, issued);
      return bodyAnswer(200, contentType, JSON.stringify(body), successHeaders);
    },

    tokenFailure(refusal) {
      const { answer, wording } = refusalOf(refusal.finer ?? refusal.refused, answers);
      const text = wordingFor(refusal, wording);
      const headers = failureHeaders();
      const challenged: readonly HeaderLine[] =
        answer.challenge === null
          ? headers
          : [
              ...headers,
              [
                'WWW-Authenticate',
                challenge(answer.challenge, realm, answer.error ?? 'invalid_request', text),
              ],
            ];
      return {
        ...lookingAnswer(answer, { text: text ?? 'refused', error: answer.error }, challenged),
        refusal,
      };
    },
  };
}

type RefusalAnswer = Exclude<Answers['token-failures.exchange.no-code'], 'accepted'>;

interface Told {
  readonly answer: RefusalAnswer;
  readonly wording?: string;
}

/** RFC 6749 section 5.2. */
const LAST: Told = {
  answer: {
    status: 400,
    error: 'invalid_request',
    contentType: 'application/json; charset=utf-8',
    body: { error: 'string', error_description: 'string' },
    challenge: null,
  },
};

function refusalOf(reason: TokenReason, answers: Answers): Told {
  for (const aspect of TOKEN_REASONS[reason]) {
    const answer = answers[`token-failures.${aspect}`];
    if (typeof answer !== 'object' || answer === null) continue;
    const wording = answers['token-failures.wording'][aspect];
    return { answer, ...(wording !== undefined && { wording }) };
  }
  return LAST;
}

/** The profile's wording was recorded with `code` sent twice; it names the repeated parameter. */
function wordingFor({ refused, parameter }: Refusal<TokenReason>, wording: string | undefined) {
  if (refused !== 'parameter-repeated' || parameter === undefined) return wording;
  return wording?.replace(/\bcode\b/, parameter);
}

function inOrder(
  fields: readonly string[],
  order: Answers['token-response-fields.order'],
): readonly string[] {
  if (order === 'documented-last') return fields.toReversed();
  return order === 'alphabetical' ? fields.toSorted() : fields;
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

function lines(headers: Readonly<Record<string, string | null>>): readonly HeaderLine[] {
  return Object.entries(headers).filter((line): line is [string, string] => line[1] !== null);
}

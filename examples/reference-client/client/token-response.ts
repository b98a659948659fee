import {
  ServiceFailed,
  type TokenOperation,
  type TokenRefusal,
  TokenRefused,
  TooManyRequests,
  UnexpectedAnswer,
} from './errors.ts';
import { type Answer, errorOf, fieldsOf, retryAfterSeconds, shapeOf } from './send.ts';
import type { TokenPair } from './store/token-store.ts';

export interface ResponseReading {
  readonly operation: TokenOperation;
  readonly receivedAt: number;
  readonly secrets: readonly string[];
}

/** Values that a header can carry unchanged: printable ASCII without space (RFC 6750 section 2.1 allows fewer). */
const ACCESS_TOKEN = /^[\x21-\x7e]+$/;
/** Printable ASCII (RFC 6749 appendix A.17). */
const REFRESH_TOKEN = /^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/;
/** Values that careless servers and clients send for "no token". */
const NO_TOKENS = new Set(['null', 'undefined', 'none', 'nil']);

/**
 * Reads the token pair in an answer of the token endpoint (clause 2.1). Accepts any 2xx and media type, and ignores the case of
 * `token_type` (RFC 6749 section 5.1), although the clause writes `bearer`. Strict in everything else.
 *
 * @throws TokenRefused for a 4xx, and for a 2xx whose body is an error
 * @throws TooManyRequests, ServiceFailed
 * @throws UnexpectedAnswer for anything that is not a complete token response
 */
export function readTokenAnswer(answer: Answer, reading: ResponseReading): TokenPair {
  const { operation, receivedAt } = reading;
  const { status, headers, body } = answer;
  if (status === 429) throw new TooManyRequests(operation, retryAfterSeconds(headers, receivedAt));
  if (status >= 500) throw new ServiceFailed(operation, status, retryAfterSeconds(headers, receivedAt));
  const error = errorOf(body);
  if (status >= 400 || error !== undefined)
    throw new TokenRefused(operation, refusal(answer, error, reading));
  if (status >= 300 || body.kind !== 'json') {
    throw new UnexpectedAnswer(operation, 'a token response in JSON (clause 2.1)', shapeOf(answer), status);
  }
  return readPair(answer, operation, receivedAt);
}

function readPair(answer: Answer, operation: TokenOperation, receivedAt: number): TokenPair {
  const fields = fieldsOf(answer.body);
  const { access_token, refresh_token, token_type, expires_in } = fields;
  const expected = (field: string, what: string): UnexpectedAnswer =>
    new UnexpectedAnswer(
      operation,
      `${field} to be ${what} (clause 2.1)`,
      kindOf(fields[field]),
      answer.status,
    );

  if (!isToken(access_token, ACCESS_TOKEN)) throw expected('access_token', 'a token');
  if (!isToken(refresh_token, REFRESH_TOKEN)) throw expected('refresh_token', 'a token');
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') {
    throw expected('token_type', 'bearer');
  }
  if (typeof expires_in !== 'number' || !Number.isSafeInteger(expires_in) || expires_in <= 0) {
    throw expected('expires_in', 'a whole number of seconds above 0');
  }
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: receivedAt + expires_in * 1000,
  };
}

function isToken(value: unknown, characters: RegExp): value is string {
  return typeof value === 'string' && characters.test(value) && !NO_TOKENS.has(value.trim().toLowerCase());
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return 'another number';
  if (value === '') return 'an empty text';
  return typeof value === 'string' ? 'another text' : `a value of type ${typeof value}`;
}

function refusal(
  { status, body }: Answer,
  error: string | undefined,
  { secrets }: ResponseReading,
): TokenRefusal {
  const { error_description: description } = fieldsOf(body);
  return {
    status,
    ...(error === undefined ? {} : { error: redact(error, secrets) }),
    ...(typeof description === 'string' ? { description: redact(description, secrets) } : {}),
  };
}

const LONGEST = 300;

/**
 * Makes a text of the service safe for an error message: printable ASCII (RFC 6749 appendix A.7), shortened, with the
 * given secrets redacted, also in percent-encoding.
 */
function redact(text: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ]);
  return spellings
    .filter((spelling) => spelling !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((rest, spelling) => rest.replaceAll(spelling, '<redacted>'), text)
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, LONGEST);
}

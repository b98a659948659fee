import type { RequirementId } from '../../../generated/ids.ts';
import { isJsonObject } from '../../document/input/plain-data.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { membersIn } from '../../http/answer-body.ts';
import { isHarmlessMember, memberText, typeOf } from '../../http/answer-secrets.ts';
import { headerOf, jsonOf } from '../../http/exchange.ts';
import {
  type Answered,
  COUNTS_DOWN_MS,
  isSendable,
  markBefore,
  type TokenAnswer,
} from '../../service/flow/answers.ts';
import { Blocked, ConformanceFailure } from './outcome.ts';

function expectJsonObject({ response }: Answered): Record<string, unknown> {
  const json = jsonOf(response);
  const mark = markBefore(response);
  if (isJsonObject(json) && mark === undefined) return json;
  const got = json === undefined ? 'a body that is no JSON' : 'JSON that is no object';
  throw new ConformanceFailure('a JSON object', mark ?? got);
}

function expectField(response: Record<string, unknown>, field: string): void {
  const value = response[field];
  if (typeof value === 'string' && value !== '') {
    if (isSendable(field, value)) return;
    throw new ConformanceFailure(`${field} to be sendable`, 'characters that no request can carry');
  }
  throw new ConformanceFailure(
    `${field} to be a string, not empty`,
    value === '' ? 'an empty string' : typeOf(value),
  );
}

/** Requires that a field occurs once: with duplicates, the parser decides which one a client reads (RFC 8259 section 4). */
function expectOnce({ response }: Answered<TokenAnswer>, field: string): void {
  const times = membersIn(response.body).filter(([name]) => name === field).length;
  if (times > 1) throw new ConformanceFailure(`${field} once`, `${field} ${times} times in the body`);
}

export function expectBothTokens(answer: Answered<TokenAnswer>): void {
  const response = expectJsonObject(answer);
  for (const field of ['access_token', 'refresh_token']) {
    expectField(response, field);
    expectOnce(answer, field);
  }
}

export type ResponseOf = 'exchange' | 'refresh';

export function givenResponse({ response }: Answered, of: ResponseOf): Record<string, unknown> {
  const json = jsonOf(response);
  if (typeof json === 'object' && json !== null && 'access_token' in json)
    return json as Record<string, unknown>;
  throw new Blocked(
    'read the token response',
    `${of}.token-response`,
    'no JSON object with an access_token of its own',
  );
}

/** Requires `token_type` to be exactly `bearer` (clauses 2.1 and 5.4). */
export function expectTokenTypeBearer(answer: Answered<TokenAnswer>, of: ResponseOf): void {
  const value = givenResponse(answer, of).token_type;
  expectOnce(answer, 'token_type');
  if (value === 'bearer') return;
  throw new ConformanceFailure(
    'token_type to be exactly "bearer"',
    value === undefined ? 'none' : memberText('token_type', value),
  );
}

/** Requires `expires_in` to be the integer 7200, in seconds (clauses 2.1 and 8). */
export function expectExpiresIn7200(answer: Answered<TokenAnswer>, of: ResponseOf): void {
  const value = givenResponse(answer, of).expires_in;
  expectOnce(answer, 'expires_in');
  const written = membersIn(answer.response.body).find(([name]) => name === 'expires_in')?.[1];
  if (written === String(LIFETIME)) return;
  // It counts down, and a second passed while the service answered. The monitor fails one that always does.
  if (value === LIFETIME - 1 && answer.durationMs >= COUNTS_DOWN_MS) return;
  // `7200.0` is no integer to a typed client (RFC 6749 appendix A.14).
  const got = value === LIFETIME ? `${written}` : wording(value);
  throw new ConformanceFailure('expires_in to be the integer 7200', got);
}

function expectJsonContentType({ response }: Answered<TokenAnswer>, of: ResponseOf): void {
  const type = headerOf(response, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new ConformanceFailure(`Content-Type application/json after ${of}`, type ?? 'none');
}

function expectNotCacheable({ response }: Answered<TokenAnswer>, of: ResponseOf): void {
  const control = headerOf(response, 'cache-control');
  if (
    !(control ?? '')
      .toLowerCase()
      .split(/\s*,\s*/)
      .includes('no-store')
  )
    throw new ConformanceFailure(`Cache-Control: no-store after ${of}`, control ?? 'no Cache-Control');
}

/** By requirement what it demands of a token response, and of which. A smoke run sends no more for these. */
export const OF_RESPONSES: Readonly<Partial<Record<RequirementId, DemandOnResponses>>> = {
  'exchange.token-type-bearer': [expectTokenTypeBearer, 'exchange'],
  'exchange.expires-in-7200': [expectExpiresIn7200, 'exchange'],
  'refresh.token-type-bearer': [expectTokenTypeBearer, 'refresh'],
  'refresh.expires-in-7200': [expectExpiresIn7200, 'refresh'],
  'token.json-content-type': [expectJsonContentType, 'exchange', 'refresh'],
  'token.not-cacheable': [expectNotCacheable, 'exchange', 'refresh'],
};

type DemandOnResponses = readonly [
  expect: (answer: Answered<TokenAnswer>, of: ResponseOf) => void,
  ...of: readonly ResponseOf[],
];

function wording(value: unknown): string {
  if (value === undefined) return 'none';
  // A time or random number would give every run another reason.
  if (typeof value === 'number' && value > 10_000_000) return 'a number as large as a point in time';
  const text = memberText('expires_in', value);
  return isHarmlessMember('expires_in', value) ? `${text} (${typeOf(value)})` : text;
}

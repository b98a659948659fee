import type { RequirementId } from '../../../generated/ids.ts';
import { isJsonObject } from '../../document/input/plain-data.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { memberText } from '../../http/answer-secrets.ts';
import { headerOf, jsonOf, type WireResponse } from '../../http/exchange.ts';
import { COUNTS_DOWN_MS, isSendable, markBefore } from '../../service/flow/answers.ts';
import { type Broken, type MonitorFindings, PassingPages } from './findings.ts';
import { memberWithSeveralValues } from './members.ts';
import type { PendingToken } from './pending-token.ts';
import { scopeOf } from './read-request.ts';
import type { TokenModel } from './token-model.ts';

type Of = 'exchange' | 'refresh';

type Fields = Readonly<Record<string, unknown>>;

/** Evaluates the fields of token responses (clauses 2.1 and 4.3). */
export class TokenAnswers {
  readonly #model: TokenModel;
  readonly #findings: MonitorFindings;
  readonly #pages = new PassingPages();
  /** Token responses that were a second short. */
  readonly #short = new Map<RequirementId, number>();

  constructor(model: TokenModel, findings: MonitorFindings) {
    this.#model = model;
    this.#findings = findings;
  }

  evaluate(of: Of, pending: PendingToken, response: WireResponse, tookMs: number, broken: Broken): void {
    const whole: RequirementId = `${of}.token-response`;
    const fields = objectIn(response);
    this.#findings.example(whole);
    if (this.#pages.tolerates(of, response)) return;
    if (fields === undefined) {
      broken(whole, 'no-object', 'a JSON object', 'another body');
      return;
    }
    const mark = markBefore(response);
    if (mark !== undefined) broken(whole, 'no-object', 'a JSON object', mark);
    evaluateTokens(whole, fields, broken);
    if (!('access_token' in fields)) return;
    const twice = memberWithSeveralValues(response.body, MEMBERS);
    if (twice !== undefined)
      broken(whole, `member ${twice} twice`, `${twice} once`, 'it twice, with different values');
    this.#evaluateConstants(of, fields, tookMs, broken);
    this.#findings.example('token.json-content-type');
    const type = headerOf(response, 'content-type') ?? 'none';
    if (!/^application\/json\s*(;|$)/i.test(type))
      broken('token.json-content-type', 'content-type', 'application/json', type);
    if (of === 'exchange') return;
    evaluateScope(pending, response, broken);
    this.#evaluateNewness(pending, fields, broken);
  }

  #evaluateConstants(of: Of, fields: Fields, tookMs: number, broken: Broken): void {
    const constants = [
      [`${of}.token-type-bearer`, 'token_type', 'bearer'],
      [`${of}.expires-in-7200`, 'expires_in', LIFETIME],
    ] as const;
    for (const [id, name, wanted] of constants) {
      this.#findings.example(id);
      const value = fields[name];
      if (value === LIFETIME - 1 && this.#passedWhileAnswering(id, tookMs)) continue;
      const got = value === undefined ? 'none' : memberText(name, value);
      if (value !== wanted) broken(id, `member ${name}`, `${name} to be ${JSON.stringify(wanted)}`, got);
    }
  }

  /**
   * Tolerates one token response in a hundred of a live target whose `expires_in` is a second short, and each second one of those
   * that came late: it counts down, and a second passed while the service answered. One that always counts down is short each time.
   */
  #passedWhileAnswering(id: RequirementId, tookMs: number): boolean {
    if (!this.#model.target.isLive) return false;
    const short = (this.#short.get(id) ?? 0) + 1;
    this.#short.set(id, short);
    return short <= 1 + (this.#findings.examples.get(id) ?? 0) / (tookMs >= COUNTS_DOWN_MS ? 2 : 100);
  }

  #evaluateNewness({ pair, successorUnused: meets, at }: PendingToken, fields: Fields, broken: Broken): void {
    const renewed = [
      ['refresh.new-access-token', 'access_token', this.#model.byAccess],
      ['refresh.new-refresh-token', 'refresh_token', this.#model.byRefresh],
    ] as const;
    for (const [id, name, known] of renewed) {
      const value = fields[name];
      if (typeof value !== 'string' || value === '') continue;
      this.#findings.example(id);
      const before = known.get(value);
      // Its sender has not received this pair yet (clause 2.1 rule 1).
      const isOwnSuccessor =
        before !== undefined && before.replaced === pair && meets && at - before.issuedAt < LIFETIME;
      if (before !== undefined && !isOwnSuccessor)
        broken(id, `member ${name}`, `${name} to be new`, 'one that was given before');
    }
  }
}

function evaluateTokens(whole: RequirementId, fields: Fields, broken: Broken): void {
  const { access_token: access, refresh_token: refresh } = fields;
  for (const [name, value] of Object.entries({ access_token: access, refresh_token: refresh })) {
    if (typeof value !== 'string' || value === '') {
      const came = value === '' ? 'an empty string' : `a ${typeof value}`;
      const got = value === undefined ? 'none' : came;
      broken(whole, `member ${name}`, `${name} to be a string, not empty`, got);
    } else if (!isSendable(name, value)) {
      const got = 'characters that no request can carry';
      broken(whole, `member ${name} unsendable`, `${name} to be sendable`, got);
    }
  }
  if (typeof access === 'string' && access !== '' && access === refresh)
    broken(whole, 'same', 'two tokens', 'the same value for both');
}

function evaluateScope({ pair, request }: PendingToken, response: WireResponse, broken: Broken): void {
  const stated = request.parameters.has('scope') ? undefined : statedScope(response);
  if (pair?.scope !== undefined && stated !== undefined && stated !== pair.scope)
    broken('refresh.scope-kept', 'member scope', `the scopes ${pair.scope}`, memberText('scope', stated));
}

/** Members of clause 2.1. */
const MEMBERS = ['access_token', 'token_type', 'expires_in', 'refresh_token'];

function objectIn(response: WireResponse | undefined): Readonly<Record<string, unknown>> | undefined {
  const json = jsonOf(response);
  return isJsonObject(json) ? json : undefined;
}

/** Returns the tokens at the top of an answer; undefined for each that is missing or empty. */
export function topTokens(response: WireResponse | undefined): readonly (string | undefined)[] {
  const { access_token, refresh_token } = objectIn(response) ?? {};
  return [access_token, refresh_token].map((value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  );
}

export function statedScope(response: WireResponse | undefined): string | undefined {
  const { scope } = objectIn(response) ?? {};
  return typeof scope === 'string' ? (scopeOf(scope) ?? scope) : undefined;
}

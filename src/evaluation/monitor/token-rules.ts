import type { RequirementId } from '../../../generated/ids.ts';
import { isJsonObject } from '../../document/input/plain-data.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { memberText } from '../../http/answer-secrets.ts';
import { type Exchange, headerOf, isSuccess, jsonOf, type WireResponse } from '../../http/exchange.ts';
import { isSendable, tokensIn } from '../../service/flow/answers.ts';
import { redirectMismatch } from '../../service/redirect-address.ts';
import type { Channels } from './channels.ts';
import { type Broken, type MonitorFindings, PassingPages, ServerErrors } from './findings.ts';
import { Meetings } from './meetings.ts';
import { memberWithSeveralValues, nearestTo } from './members.ts';
import {
  type Code,
  change,
  type Family,
  HANDED_OUT_AGAIN,
  type KnownPair,
  type Model,
  newPair,
  variantOf,
} from './model.ts';
import { Races } from './races.ts';
import { type ReadTokenRequest, readTokenRequest, scopeOf } from './read-request.ts';

/** Seconds within which a code must be honoured: the document does not say how long it lives. */
const FRESH = 10;

/** Seconds after which a refresh token is no longer expected to work: the document defines no lifetime. */
const REFRESH_EXPECTED = LIFETIME + 600;

const PRESENTED_AGAIN = 'its code was presented again';

const USED_TWICE = 'its refresh token was used twice';

/** A difference that the document does not define: nothing is expected then. */
const NOT_EVALUATED = 'not evaluated';

/** A reason to refuse a request: the requirement that demands it, or a difference that nothing defines. */
type Mistake = RequirementId | typeof NOT_EVALUATED;

export interface PendingToken {
  readonly request: ReadTokenRequest;
  readonly at: number;
  readonly code: Code | undefined;
  readonly pair: KnownPair | undefined;
  readonly refusals: readonly Mistake[];
  /** Requirement that is violated if no tokens are issued; undefined if the document promises none. */
  readonly promised: RequirementId | undefined;
  readonly changedBefore: boolean;
  /** True for a refresh that was sent before a pair that replaced its own was used: it may get that pair again. */
  readonly meets: boolean;
  readonly stakes: readonly string[];
  /** True if the document's request has no mistake: a service that honours it so honours its channel. */
  readonly rightful: boolean;
}

export class TokenRules {
  readonly #model: Model;
  readonly #findings: MonitorFindings;
  readonly #races = new Races();
  readonly #serverErrors = new ServerErrors();
  readonly #meetings = new Meetings();
  #short = 0;
  readonly #channels: Channels;
  readonly #pages = new PassingPages();

  constructor(model: Model, findings: MonitorFindings, channels: Channels) {
    this.#model = model;
    this.#findings = findings;
    this.#channels = channels;
  }

  /** Returns undefined for a request that does not go to the token endpoint. */
  sent(exchange: Exchange, at: number, channel?: string): PendingToken | undefined {
    const read = readTokenRequest(exchange.request, this.#model.target.authUrl);
    if (read === undefined) return undefined;
    const request = channel === undefined ? read : this.#channels.read(read, channel);
    const pending =
      request.is === 'refresh' ? this.#refreshSent(request, at) : this.#exchangeSent(request, at);
    this.#model.underWay += 1;
    this.#meetings.sent();
    return pending;
  }

  /** Evaluates what the whole run shows. */
  end(): void {
    this.#findings.meetings(this.#meetings, (step) => OWNER_OF_STEP[step as keyof typeof OWNER_OF_STEP]);
  }

  #exchangeSent(request: ReadTokenRequest, at: number): PendingToken {
    const { codes, applications } = this.#model;
    const { parameters } = request;
    const code = codes.get(parameters.get('code') ?? '');
    const refusals = [...this.#clientRefusals(request, 'exchange'), ...this.#codeRefusals(request, code)];
    const app = applications.get(parameters.get('client_id') ?? '');
    const promised =
      request.documented &&
      request.is === 'exchange' &&
      refusals.length === 0 &&
      app !== undefined &&
      code?.documented === true &&
      code.presented === 0 &&
      !this.#model.mayChange(code) &&
      at - code.issuedAt <= FRESH;
    const pending: PendingToken = {
      request,
      at,
      code,
      pair: undefined,
      changedBefore: false,
      meets: false,
      refusals: request.plain && request.is === 'exchange' ? refusals : [],
      promised: promised ? 'exchange.form-encoded' : undefined,
      stakes: this.#model.tokensThatMayChange(code),
      rightful: refusals.length === 0 && code !== undefined,
    };
    const shown = this.#model.byRefresh.get(parameters.get('refresh_token') ?? '');
    this.#model.misused(shown, misuse('its refresh token was sent in place of a code', refusals));
    if (code !== undefined) {
      const again = misuse(PRESENTED_AGAIN, refusals, 'exchange.code-single-use');
      // A service may look at a code's age before its use, and revoke nothing then.
      this.#model.misused(code.gave, again, at - code.issuedAt <= FRESH);
      // Or it revokes what the sender was granted.
      if (app !== undefined && app !== applications.get(code.clientId ?? ''))
        this.#model.misused({ clientId: parameters.get('client_id') }, PRESENTED_AGAIN, false);
      if (code.inFlight > 0) code.overlapped = true;
      code.presented += 1;
      code.inFlight += 1;
    }
    return pending;
  }

  #codeRefusals({ parameters }: ReadTokenRequest, code: Code | undefined): readonly Mistake[] {
    const found: Mistake[] = [];
    const { applications, codes } = this.#model;
    const [grantType, value, address, clientId] = CODE_PARAMETERS.map((name) => parameters.get(name) ?? '');
    if (grantType && grantType !== 'authorization_code') found.push('exchange.grant-type-checked');
    if (value && code === undefined) found.push(this.#strange(value, codes, 'exchange.code-unknown-refused'));
    if (code?.gave !== undefined) found.push('exchange.code-single-use');
    if (code?.clientId !== undefined && clientId !== code.clientId && applications.has(clientId ?? ''))
      found.push('exchange.code-bound-to-client');
    if (!address || code?.redirectUri === undefined) return found;
    const mismatch = redirectMismatch(address, code.redirectUri);
    if (mismatch === undefined) return found;
    const isAuthorized = applications.get(code.clientId ?? '')?.redirectUris.includes(address);
    if (mismatch === 'open') found.push(NOT_EVALUATED);
    else if (isAuthorized) found.push('exchange.redirect-uri-same-among-authorized');
    else found.push(mismatch === 'near' ? 'exchange.redirect-uri-exact' : 'exchange.redirect-uri-same');
    return found;
  }

  /** Returns the reason to refuse a value that was not issued: none for one that is nearly an issued one. */
  #strange(value: string, issued: ReadonlyMap<string, Code | KnownPair>, unknown: RequirementId): Mistake {
    const near = issued.get(nearestTo(value, issued.keys()) ?? '');
    if (near === undefined) return unknown;
    if ('gave' in near) {
      near.presented += 1;
      this.#model.misused(near.gave, 'its code was nearly presented');
    } else this.#model.misused(near, 'its refresh token was nearly presented');
    return NOT_EVALUATED;
  }

  /** Returns the parameters that lack a value, and what the client's own credentials are wrong in. */
  #clientRefusals({ parameters }: ReadTokenRequest, of: 'exchange' | 'refresh'): readonly RequirementId[] {
    const { applications } = this.#model;
    const [id, secret] = [parameters.get('client_id'), parameters.get('client_secret')];
    const found = REQUIRED[of].flatMap(([name, requirement]) => (parameters.get(name) ? [] : [requirement]));
    if (!id) return found;
    const app = applications.get(id);
    if (app === undefined) return [...found, `${of}.client-id-checked`];
    if (!secret || secret === app.secret) return found;
    const foreign = [...applications.values()].some((other) => other.secret === secret);
    return foreign && of === 'exchange'
      ? [...found, 'exchange.client-secret-of-other-application']
      : [...found, `${of}.client-secret-checked`];
  }

  #refreshSent(request: ReadTokenRequest, at: number): PendingToken {
    const { parameters } = request;
    const { byRefresh, applications } = this.#model;
    const [value, clientId] = [parameters.get('refresh_token') ?? '', parameters.get('client_id') ?? ''];
    const pair = byRefresh.get(value);
    const refusals: Mistake[] = [...this.#clientRefusals(request, 'refresh')];
    if (value && pair === undefined)
      refusals.push(this.#strange(value, byRefresh, 'refresh.token-unknown-refused'));
    if (pair?.clientId !== undefined && pair.clientId !== clientId && applications.has(clientId))
      refusals.push('refresh.bound-to-client');
    const pending: PendingToken = {
      request,
      at,
      code: undefined,
      pair,
      refusals: request.plain ? refusals : [],
      promised: request.documented && refusals.length === 0 ? this.#promisedTo(pair, at) : undefined,
      changedBefore: pair?.family.changed !== undefined,
      meets: pair !== undefined && !pair.successorUsed,
      stakes: this.#model.tokensThatMayChange(pair?.family),
      rightful: refusals.length === 0 && pair !== undefined,
    };
    if (pair === undefined) return pending;
    if (pair.replaced !== undefined) pair.replaced.successorUsed = true;
    if (refusals.length === 0) this.#races.sent(pair);
    if (pair.used > 0) this.#model.misused(pair, misuse(USED_TWICE, refusals));
    if (refusals.length === 0) pair.used += 1;
    if (refusals.includes('refresh.bound-to-client'))
      this.#model.misused(pair, misuse('another client used it', refusals, 'refresh.bound-to-client'));
    if (!replacesNothing(pending)) pair.presented += 1;
    return pending;
  }

  /** Returns the requirement that promises a refresh now; undefined if the document promises none. */
  #promisedTo(pair: KnownPair | undefined, at: number): RequirementId | undefined {
    if (pair === undefined || pair.presented > 0 || pair.clientId === undefined) return undefined;
    if (this.#model.mayChange(pair.family)) return undefined;
    // Answers of a distant service may overtake each other.
    const latest =
      this.#races.isLatest(pair) && pair.family.changed === USED_TWICE && !this.#model.target.shared;
    if (!latest && (pair.family.changed !== undefined || pair.family.latest !== pair)) return undefined;
    const age = at - pair.issuedAt;
    const { earliestRefresh, target } = this.#model;
    if (age >= REFRESH_EXPECTED) return undefined;
    const isEarlyEnough = age >= earliestRefresh;
    if (age > LIFETIME + (isEarlyEnough ? 0 : target.spreadSeconds)) return 'refresh.after-expiry';
    if (!isEarlyEnough) return undefined;
    return pair.generation === 0 ? 'refresh.token-response' : 'refresh.chain';
  }

  answered(pending: PendingToken, exchange: Exchange, during: string | undefined, at: number): void {
    const { code, pair, request } = pending;
    if (code !== undefined) code.inFlight -= 1;
    this.#model.underWay -= 1;
    this.#meetings.answered(pending.promised && request.is, exchange);
    const { response } = exchange;
    const broken = this.#findings.of(exchange, during, request.channel);
    const unclear = response === undefined || response.status === 429 || response.status >= 500;
    const found = tokensIn(response, jsonOf(response));
    const given = found.accessToken !== undefined || found.refreshToken !== undefined;
    if (pair !== undefined && pending.refusals.length === 0) this.#races.answered(pair, unclear && !given);
    if (unclear && !given) {
      const owners = ['token.no-5xx', OWNER_OF_STEP[request.is]] as const;
      if (pending.promised !== undefined)
        this.#serverErrors.evaluate(pair ?? code, response, request.is, owners, broken);
      if (!takesBack(pending, response)) change(pair?.family, 'a refresh got no answer');
      return;
    }
    if (given && pending.rightful) this.#channels.honoured(request.channel, request.is);
    const refusals = this.#refusalsOf(pending);
    const honoured = topTokens(response).some((token) => token !== undefined);
    // A service may spend a code with a refusal, take the next request for a replay, and revoke.
    if (code !== undefined && code.gave === undefined && code.presented > 1 && !given)
      this.#model.misused(code, PRESENTED_AGAIN, false);
    const [first, ...more] = refusals;
    if (first !== undefined) {
      if (more.length === 0) this.#findings.example(first);
      if (honoured) broken(first, 'refusal', 'no tokens', 'tokens');
    }
    const rightful =
      request.plain && !request.channel && pending.refusals.length === 0 && request.is !== 'other';
    if (rightful && given) this.#model.survives(pending.stakes);
    if (rightful) this.#evaluateAnswer(pending, response, broken, given);
    if (given)
      this.#keep(
        pending,
        found.accessToken,
        found.refreshToken,
        at,
        refusals.length > 0 || !request.plain,
        exchange,
      );
  }

  /** Adds refusals for concurrent exchanges of a code: only one may give tokens. */
  #refusalsOf({ refusals: found, code, request }: PendingToken): readonly RequirementId[] {
    const refusals = found.filter((one) => one !== NOT_EVALUATED);
    if (refusals.length < found.length) return [];
    const parallel = code?.overlapped === true && code.gave !== undefined && request.plain;
    if (!parallel) return refusals;
    const others = refusals.filter((id) => id !== 'exchange.code-single-use');
    return refusals.includes('exchange.code-single-use')
      ? refusals
      : [...others, 'exchange.code-single-use-parallel'];
  }

  #evaluateAnswer(
    pending: PendingToken,
    response: WireResponse | undefined,
    broken: Broken,
    given: boolean,
  ): void {
    const { request, code, pair } = pending;
    const twice = code?.overlapped === true || (pair !== undefined && pair.used > 1);
    const sent = code ?? pair?.family;
    // A replay that was sent after this request may have ended its tokens before it arrived.
    const met = pair?.family.changed !== undefined && !pending.changedBefore;
    const open = twice || met || (sent !== undefined && this.#model.mayChange(sent));
    const promised = open ? undefined : pending.promised;
    const of = request.is === 'refresh' ? 'refresh' : 'exchange';
    if (promised !== undefined) {
      this.#findings.example(promised, 'token.no-5xx');
      if (!isSuccess(response)) {
        const status = `status ${response?.status}`;
        broken(promised, 'promised', 'the documented request to be honoured', status);
      }
    }
    // Another requirement covers a refusal with the status of a success.
    if (!isSuccess(response) || (promised === undefined && !given)) return;
    if (of === 'refresh' && pending.pair !== undefined && !pending.changedBefore) {
      const { earliestRefresh, target } = this.#model;
      const age = pending.at - pending.pair.issuedAt;
      // Later the service may hold the token for expired.
      if (age < LIFETIME - target.spreadSeconds) this.#model.earliestRefresh = Math.min(earliestRefresh, age);
    }
    this.#evaluateFields(of, pending, response, broken);
  }

  /**
   * Tolerates one token response in a hundred of a live target whose `expires_in` is a second short: it counts down, and a second
   * passed while the service answered. One that always counts down fails in the requirement's own check.
   */
  #passedWhileAnswering(id: RequirementId): boolean {
    if (!this.#model.target.shared) return false;
    this.#short += 1;
    return this.#short <= 1 + (this.#findings.examples.get(id) ?? 0) / 100;
  }

  #evaluateFields(
    of: 'exchange' | 'refresh',
    { pair, meets, at, request }: PendingToken,
    response: WireResponse,
    broken: Broken,
  ): void {
    const whole: RequirementId = `${of}.token-response`;
    const fields = objectIn(response);
    this.#findings.example(whole);
    if (this.#pages.tolerates(of, response)) return;
    if (fields === undefined) {
      broken(whole, 'no-object', 'a JSON object', 'another body');
      return;
    }
    for (const name of ['access_token', 'refresh_token']) {
      const value = fields[name];
      if (typeof value === 'string' && value !== '') {
        if (!isSendable(name, value))
          broken(
            whole,
            `member ${name} unsendable`,
            `${name} to be sendable`,
            'characters that no request can carry',
          );
        continue;
      }
      const came = value === '' ? 'an empty string' : `a ${typeof value}`;
      const got = value === undefined ? 'none' : came;
      broken(whole, `member ${name}`, `${name} to be a string, not empty`, got);
    }
    if (!('access_token' in fields)) return;
    const twice = memberWithSeveralValues(response.body, MEMBERS);
    if (twice !== undefined)
      broken(whole, `member ${twice} twice`, `${twice} once`, 'it twice, with different values');
    const { access_token: access, refresh_token: refresh } = fields;
    if (typeof access === 'string' && access !== '' && access === refresh)
      broken(whole, 'same', 'two tokens', 'the same value for both');
    const constants = [
      [`${of}.token-type-bearer`, 'token_type', 'bearer'],
      [`${of}.expires-in-7200`, 'expires_in', LIFETIME],
    ] as const;
    for (const [id, name, wanted] of constants) {
      this.#findings.example(id);
      const value = fields[name];
      if (value === LIFETIME - 1 && this.#passedWhileAnswering(id)) continue;
      const got = value === undefined ? 'none' : memberText(name, value);
      if (value !== wanted) broken(id, `member ${name}`, `${name} to be ${JSON.stringify(wanted)}`, got);
    }
    this.#findings.example('token.json-content-type');
    const type = headerOf(response, 'content-type') ?? 'none';
    if (!/^application\/json\s*(;|$)/i.test(type))
      broken('token.json-content-type', 'content-type', 'application/json', type);
    if (of === 'exchange') return;
    const stated = request.parameters.has('scope') ? undefined : statedScope(response);
    if (pair?.scope !== undefined && stated !== undefined && stated !== pair.scope)
      broken('refresh.scope-kept', 'member scope', `the scopes ${pair.scope}`, memberText('scope', stated));
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

  #keep(
    { code, pair, request }: PendingToken,
    access: string | undefined,
    refresh: string | undefined,
    at: number,
    wrongly: boolean,
    exchange: Exchange,
  ): void {
    const { byAccess, byRefresh } = this.#model;
    const known = byAccess.get(access ?? '') ?? byRefresh.get(refresh ?? '');
    if (known !== undefined) known.family.changed = HANDED_OUT_AGAIN;
    const [topAccess, topRefresh] = topTokens(exchange.response);
    const clear = !wrongly && request.is !== 'other' && topAccess === access && topRefresh === refresh;
    const narrowed = statedScope(exchange.response);
    const asked = request.is === 'refresh' ? pair?.scope : code?.scope;
    const unasked = request.parameters.has('scope') || (narrowed !== undefined && narrowed !== asked);
    const refreshed = request.is === 'refresh' ? pair : undefined;
    const family: Family = refreshed?.family ?? { changed: undefined, latest: undefined };
    const next = newPair({
      access,
      refresh,
      family,
      issuedAt: at,
      replaced: refreshed,
      generation: refreshed === undefined ? 0 : refreshed.generation + 1,
      scope: unasked ? undefined : asked,
      clientId: request.is === 'refresh' ? pair?.clientId : code?.clientId,
    });
    if (!clear) change(family, 'its tokens came from a request that the document does not have');
    if (code?.overlapped) this.#model.misused(next, 'its code was presented twice at once');
    if (known !== undefined) family.changed = HANDED_OUT_AGAIN;
    else if (pair !== undefined && clear) this.#races.gave(pair, next);
    family.latest = next;
    if (code !== undefined && request.is === 'exchange') code.gave ??= next;
    this.#model.keep(next);
  }
}

const CODE_PARAMETERS = ['grant_type', 'code', 'redirect_uri', 'client_id'];

/** Parameters without which a request must be refused. */
const REQUIRED = {
  exchange: [
    ['client_id', 'exchange.requires-client-id'],
    ['client_secret', 'exchange.requires-client-secret'],
    ['grant_type', 'exchange.requires-grant-type'],
    ['code', 'exchange.requires-code'],
    ['redirect_uri', 'exchange.requires-redirect-uri'],
  ],
  refresh: [
    ['client_id', 'refresh.requires-client-id'],
    ['client_secret', 'refresh.requires-client-secret'],
    ['grant_type', 'refresh.requires-grant-type'],
    ['refresh_token', 'refresh.requires-refresh-token'],
  ],
} as const;

/** Returns the kind of misuse, including other reasons to refuse the request. @param own reasons to refuse the misuse itself */
function misuse(why: string, refusals: readonly Mistake[], own?: RequirementId): string {
  const others = refusals.filter((one) => one !== own);
  return others.length === 0 ? why : variantOf(why, others.join(' '));
}

/** True if the latest token response must stay valid: only a successful refresh replaces a pair (clauses 2.1 and 4.3). */
function replacesNothing({ refusals, request }: PendingToken): boolean {
  return request.plain && refusals.some((id) => INCOMPLETE.includes(id));
}

const INCOMPLETE: readonly Mistake[] = [
  'refresh.requires-grant-type',
  'refresh.requires-client-id',
  'refresh.requires-client-secret',
  'refresh.client-id-checked',
  'refresh.client-secret-checked',
];

const OWNER_OF_STEP = {
  exchange: 'exchange.form-encoded',
  refresh: 'refresh.token-response',
  other: 'token.no-5xx',
} as const;

/** Statuses by which the service itself says that it did nothing; others may come from an intermediary. */
const NOT_DONE = [429, 500, 503];

/** Returns true if the service says that it did not refresh, so the latest token response stays valid (clause 4.3). */
function takesBack({ pair, refusals }: PendingToken, response: WireResponse | undefined): boolean {
  if (pair === undefined || refusals.length > 0 || pair.used !== 1) return false;
  if (response === undefined || !NOT_DONE.includes(response.status)) return false;
  pair.used -= 1;
  pair.presented -= 1;
  return true;
}

/** Members of clause 2.1. */
const MEMBERS = ['access_token', 'token_type', 'expires_in', 'refresh_token'];

function objectIn(response: WireResponse | undefined): Readonly<Record<string, unknown>> | undefined {
  const json = jsonOf(response);
  return isJsonObject(json) ? json : undefined;
}

/** Returns the tokens at the top of an answer; undefined for each that is missing or empty. */
function topTokens(response: WireResponse | undefined): readonly (string | undefined)[] {
  const { access_token, refresh_token } = objectIn(response) ?? {};
  return [access_token, refresh_token].map((value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  );
}

function statedScope(response: WireResponse | undefined): string | undefined {
  const { scope } = objectIn(response) ?? {};
  return typeof scope === 'string' ? (scopeOf(scope) ?? scope) : undefined;
}

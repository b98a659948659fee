import type { RequirementId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { type Exchange, isSuccess, type WireResponse } from '../../http/exchange.ts';
import { tokensIn } from '../../service/flow/answers.ts';
import type { Channels } from './channels.ts';
import { ConcurrentErrors } from './concurrent-errors.ts';
import { type Broken, type MonitorFindings, ServerErrors } from './findings.ts';
import type { PendingToken } from './pending-token.ts';
import { Races } from './races.ts';
import { type ReadTokenRequest, readTokenRequest } from './read-request.ts';
import { type RightRequest, traitsOfForm } from './right-requests.ts';
import { statedScope, TokenAnswers, topTokens } from './token-answers.ts';
import {
  clientMistakes,
  codeMistakes,
  misuseBeside,
  NOT_EVALUATED,
  refreshMistakes,
} from './token-mistakes.ts';
import {
  type Code,
  type Family,
  HANDED_OUT_AGAIN,
  type KnownPair,
  type Misuse,
  markChanged,
  newPair,
  type TokenModel,
} from './token-model.ts';

/** Seconds within which a code must be honoured: the document does not say how long it lives. */
const FRESH = 10;

/** Seconds after which a refresh token is no longer expected to work: the document defines no lifetime. */
const REFRESH_EXPECTED = LIFETIME + 600;

const PRESENTED_AGAIN: Misuse = ['code presented again'];

const USED_TWICE: Misuse = ['refresh token used twice'];

/** Follows codes and token pairs through exchanges and refreshes, and evaluates which must succeed and which be refused. */
export class TokenRules {
  readonly #model: TokenModel;
  readonly #findings: MonitorFindings;
  readonly #races = new Races();
  readonly #serverErrors = new ServerErrors();
  readonly #meetings = new ConcurrentErrors();
  readonly #channels: Channels;
  readonly #answers: TokenAnswers;

  constructor(model: TokenModel, findings: MonitorFindings, channels: Channels) {
    this.#model = model;
    this.#findings = findings;
    this.#channels = channels;
    this.#answers = new TokenAnswers(model, findings);
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
    const refusals = [
      ...clientMistakes(this.#model, request, 'exchange'),
      ...codeMistakes(this.#model, request, code),
    ];
    const app = applications.get(parameters.get('client_id') ?? '');
    const promised =
      request.documented &&
      request.is === 'exchange' &&
      refusals.length === 0 &&
      app !== undefined &&
      code?.documented === true &&
      code.presented === 0 &&
      // A service may know the newest code of an application alone: clause 8 leaves the lifetime of codes open.
      code === [...codes.values()].findLast(({ clientId }) => clientId === code.clientId) &&
      !this.#model.mayChange(code) &&
      at - code.issuedAt <= FRESH;
    const pending: PendingToken = {
      request,
      at,
      code,
      pair: undefined,
      changedBefore: false,
      ofEarlierGrant: false,
      successorUnused: false,
      refusals: request.plain && request.is === 'exchange' ? refusals : [],
      promised: promised ? promisedOf(code) : undefined,
      endangeredBy: this.#model.tokensThatMayChange(code),
      isRight: refusals.length === 0 && code !== undefined,
    };
    const shown = this.#model.byRefresh.get(parameters.get('refresh_token') ?? '');
    this.#model.misused(shown, misuseBeside(['refresh token in place of a code'], refusals));
    if (code !== undefined) {
      const again = misuseBeside(PRESENTED_AGAIN, refusals, 'exchange.code-single-use');
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

  #refreshSent(request: ReadTokenRequest, at: number): PendingToken {
    const { parameters } = request;
    const pair = this.#model.byRefresh.get(parameters.get('refresh_token') ?? '');
    const refusals = [
      ...clientMistakes(this.#model, request, 'refresh'),
      ...refreshMistakes(this.#model, request, pair),
    ];
    const pending: PendingToken = {
      request,
      at,
      code: undefined,
      pair,
      refusals: request.plain ? refusals : [],
      promised: request.documented && refusals.length === 0 ? this.#promisedTo(pair, at) : undefined,
      changedBefore: pair?.family.changed !== undefined,
      ofEarlierGrant: pair !== undefined && this.#model.hasLaterGrant(pair) === 'yes',
      successorUnused: pair !== undefined && !pair.successorUsed,
      endangeredBy: this.#model.tokensThatMayChange(pair?.family),
      isRight: refusals.length === 0 && pair !== undefined,
    };
    if (pair === undefined) return pending;
    if (pair.replaced !== undefined) pair.replaced.successorUsed = true;
    if (refusals.length === 0) this.#races.sent(pair);
    if (pair.used > 0) this.#model.misused(pair, misuseBeside(USED_TWICE, refusals));
    if (refusals.length === 0) pair.used += 1;
    const unproven = UNPROVEN.find((one) => refusals.includes(one));
    if (unproven !== undefined) this.#model.misused(pair, misuseBeside([unproven], refusals, unproven));
    if (!replacesNothing(pending)) pair.presented += 1;
    return pending;
  }

  /** Returns the requirement that promises a refresh now; undefined if the document promises none. */
  #promisedTo(pair: KnownPair | undefined, at: number): RequirementId | undefined {
    if (pair === undefined || pair.presented > 0 || pair.clientId === undefined) return undefined;
    if (this.#model.mayChange(pair.family)) return undefined;
    // Answers of a distant service may overtake each other.
    const latest =
      this.#races.isLatest(pair) && pair.family.changed === USED_TWICE && !this.#model.target.isLive;
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
    const found = tokensIn(exchange);
    const given = found.accessToken !== undefined || found.refreshToken !== undefined;
    if (pair !== undefined && pending.refusals.length === 0) this.#races.answered(pair, unclear && !given);
    if (unclear && !given) {
      if (code !== undefined) this.#model.exchanged(code.clientId, undefined);
      const owners = ['token.no-5xx', OWNER_OF_STEP[request.is]] as const;
      if (pending.promised !== undefined)
        this.#serverErrors.evaluate(pair ?? code, response, request.is, owners, broken);
      if (!takesBack(pending, response)) markChanged(pair?.family, ['refresh without an answer']);
      return;
    }
    if (given && pending.isRight) this.#channels.honoured(request.channel, request.is);
    const refusals = this.#refusalsOf(pending);
    const honoured = given && topTokens(response).some((token) => token !== undefined);
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
    if (rightful && given) {
      this.#model.survives(pending.endangeredBy);
      this.#model.keepsEarlierGrants ||= pending.ofEarlierGrant;
    }
    if (rightful) this.#evaluateAnswer(pending, exchange, broken, given);
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

  #evaluateAnswer(pending: PendingToken, exchange: Exchange, broken: Broken, given: boolean): void {
    const { response } = exchange;
    const { request, code, pair } = pending;
    const twice = code?.overlapped === true || (pair !== undefined && pair.used > 1);
    const sent = code ?? pair?.family;
    // A replay that was sent after this request may have ended its tokens before it arrived.
    const met = pair?.family.changed !== undefined && !pending.changedBefore;
    const ended =
      pair !== undefined && !this.#model.keepsEarlierGrants && this.#model.hasLaterGrant(pair) !== 'no';
    const open = twice || met || ended || (sent !== undefined && this.#model.mayChange(sent));
    const promised = open ? undefined : pending.promised;
    const of = request.is === 'refresh' ? 'refresh' : 'exchange';
    if (promised !== undefined) {
      this.#findings.example(promised, 'token.no-5xx');
      const credential = code ?? pair;
      if (credential !== undefined)
        this.#findings.right.answered(
          this.#rightRequest(credential, pending, exchange),
          isSuccess(response) ? undefined : promised,
        );
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
    this.#answers.evaluate(of, pending, response, exchange.durationMs, broken);
  }

  #rightRequest(
    credential: Code | KnownPair,
    { request, at }: PendingToken,
    { request: wire, response }: Exchange,
  ): RightRequest {
    return {
      is: request.is,
      traits: () => [
        ...('value' in credential
          ? this.#model.traitsOfCode(credential)
          : this.#model.traitsOfPair(credential, 'refresh')),
        `the parameters in the order ${[...request.parameters.keys()].join(', ')}`,
        ...traitsOfForm(wire),
      ],
      credential,
      at,
      connection: response?.connection,
    };
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
    const stated = statedScope(exchange.response);
    const refreshed = request.is === 'refresh' ? pair : undefined;
    const asked = request.is === 'refresh' ? pair?.scope : code?.scope;
    // An owner may grant less than was asked for; a refresh keeps what was granted (RFC 6749 section 6).
    const isLess = refreshed === undefined && stated !== undefined && stated !== asked;
    const unasked = request.parameters.has('scope') || isLess;
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
    if (!clear) markChanged(family, ['issued to an undocumented request']);
    if (code?.overlapped) this.#model.misused(next, ['code presented twice at once']);
    if (known !== undefined) family.changed = HANDED_OUT_AGAIN;
    else if (pair !== undefined && clear) this.#races.gave(pair, next);
    family.latest = next;
    if (code !== undefined && request.is === 'exchange') code.gave ??= next;
    if (refreshed === undefined) this.#model.exchanged(next.clientId, family);
    this.#model.keep(next);
  }
}

/** Refusals of a sender who may be a thief, so that the service may end the grant (RFC 9700 section 4.14.2). */
const UNPROVEN: readonly RequirementId[] = [
  'refresh.requires-client-id',
  'refresh.requires-client-secret',
  'refresh.client-id-checked',
  'refresh.client-secret-checked',
  'refresh.bound-to-client',
];

/** True if the latest token response must stay valid: only a successful refresh replaces a pair (clauses 2.1 and 4.3). */
function replacesNothing({ refusals, request }: PendingToken): boolean {
  return request.plain && refusals.length === 1 && refusals[0] === 'refresh.requires-grant-type';
}

/** A redirect that does not encode the plus sign of a code gives one with a blank. */
function promisedOf({ value }: Code): RequirementId {
  return value.includes(' ') ? 'authorize.redirects-with-code' : 'exchange.form-encoded';
}

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

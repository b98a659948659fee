import { randomBytes } from 'node:crypto';
import type { OpenPointId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import type { AnswerAt, AspectAnswer, AspectId, SeenAnswers } from '../../document/profiles/aspects.ts';
import { isSuccess, type WireRequest, type WireResponse } from '../../http/exchange.ts';
import type { AuthorizeOutcome, Decision } from '../../target/agent/user-agent.ts';
import type { Answered, ReceivedPair, TokenAnswer } from '../../target/flow/answers.ts';
import { Conversation } from '../../target/flow/conversation.ts';
import { readCode } from '../../target/flow/read-code.ts';
import type { Operation } from '../../target/flow/request-style.ts';
import {
  authorizationParameters,
  changed,
  exchangeParameters,
  type ParameterChanges,
  type Parameters,
  type ResourceCall,
  refreshParameters,
} from '../../target/flow/requests.ts';
import type { Session } from '../../target/flow/session.ts';
import { ALL_SCOPES, type Application, type Target } from '../../target/target.ts';
import { lastExchange } from './anonymous.ts';
import type { SeenSoFar, SeenWorkarounds } from './seen-so-far.ts';
import { NoAnswer, NotObservable } from './seen-so-far.ts';

export interface AnsweredPair extends ReceivedPair {
  readonly answer: TokenAnswer;
}

export interface CodeWanted {
  readonly scope?: string;
  readonly redirectUri?: string;
  readonly application?: Application;
  readonly extra?: Parameters;
}

export const NO_CLOCK = 'it takes a clock that can be moved (configure `clock`)';

export type Wait = (seconds: number) => Promise<void>;

/**
 * Sends requests in the walk's requestStyle and records a probe's answers. Throws {@link NotObservable} for a missing
 * prerequisite and {@link NoAnswer} without an answer.
 */
export class ProbeContext {
  readonly conversation: Conversation;
  readonly #soFar: SeenSoFar;
  readonly #wanted: (aspect: AspectId) => boolean;
  readonly #wait: Wait | undefined;
  #pair: AnsweredPair | undefined;

  constructor(session: Session, soFar: SeenSoFar, wanted: (aspect: AspectId) => boolean, wait?: Wait) {
    this.conversation = new Conversation(session, session.newRecorder());
    this.#soFar = soFar;
    this.#wanted = wanted;
    this.#wait = wait;
  }

  get target(): Target {
    return this.conversation.session.target;
  }

  get application(): Application {
    return this.target.application;
  }

  wants(...aspects: readonly AspectId[]): boolean {
    return aspects.some(this.#wanted);
  }

  seen<A extends AspectId>(aspect: A): AnswerAt<A> | undefined {
    return this.#soFar.answers.get(aspect) as AnswerAt<A> | undefined;
  }

  see<A extends AspectId>(aspect: A, answer: AnswerAt<A> | undefined, together?: string): void {
    if (answer === undefined || !this.#wanted(aspect)) return;
    const evidence = together ?? lastExchange(this.conversation.recorder.entries);
    this.#soFar.see(aspect, answer as AspectAnswer, evidence);
  }

  cannot(aspect: AspectId, reason: string): void {
    this.#soFar.miss(aspect, { why: 'not-observable', reason });
  }

  departs(departures: Partial<SeenWorkarounds>): void {
    Object.assign(this.#soFar.departures, departures);
  }

  /** Lets a second pass, because some services return equal tokens to equal requests of one second. */
  async tick(): Promise<void> {
    if (this.seen('token-response-fields.distinct-tokens') !== true) await this.target.clock?.advance(1);
  }

  async pass(seconds: number): Promise<void> {
    const { clock } = this.target;
    if (clock === undefined) throw new NotObservable(NO_CLOCK);
    if (seconds > 0) await clock.advance(seconds);
    this.#pair = undefined;
  }

  /** Lets access tokens expire: by the clock, or in real time if the user allows it. */
  async expire(): Promise<void> {
    const seconds = LIFETIME + this.target.skewSeconds;
    if (this.target.clock !== undefined || this.#wait === undefined) return this.pass(seconds);
    await this.#wait(seconds);
    this.#pair = undefined;
  }

  authorization(changes: ParameterChanges = {}, wanted: CodeWanted = {}): Parameters {
    const application = wanted.application ?? this.application;
    const parameters = authorizationParameters(application, this.conversation.requestStyle, {
      scope: wanted.scope ?? ALL_SCOPES,
      redirectUri: wanted.redirectUri,
    });
    return [...changed(parameters, changes), ...(wanted.extra ?? [])];
  }

  async authorize(parameters: Parameters, decision: Decision = 'grant'): Promise<AuthorizeOutcome> {
    const outcome = await this.conversation.authorize(parameters, {
      decision,
      signedIn: true,
      through: 'cookies',
    });
    if (outcome.trouble !== undefined) throw new NoAnswer(`authorization request: ${outcome.trouble}`);
    const busy = outcome.pages.find(({ status }) => status === 429 || status === 503);
    if (busy !== undefined) throw new NoAnswer(`authorization request: status ${busy.status}`);
    for (const { headers } of outcome.pages) this.#soFar.pages.push(headers);
    return outcome;
  }

  async code(wanted: CodeWanted = {}): Promise<string> {
    const code = readCode(await this.authorize(this.authorization({}, wanted)));
    if (code.ok) return code.value;
    throw new NotObservable(`no code for scope ${wanted.scope ?? ALL_SCOPES}: ${code.message}`);
  }

  exchange(
    purpose: string,
    code: string,
    changes: ParameterChanges = {},
    application: Application = this.application,
  ): Promise<Answered<TokenAnswer>> {
    return this.token(purpose, changed(exchangeParameters(application, code), changes));
  }

  refresh(
    purpose: string,
    refreshToken: string,
    changes: ParameterChanges = {},
    application: Application = this.application,
  ): Promise<Answered<TokenAnswer>> {
    return this.token(
      purpose,
      changed(refreshParameters(application, refreshToken, this.conversation.requestStyle), changes),
    );
  }

  async token(purpose: string, parameters: Parameters): Promise<Answered<TokenAnswer>> {
    return answeredToken(await this.conversation.token(purpose, parameters));
  }

  async tokenWire(purpose: string, request: WireRequest): Promise<Answered<TokenAnswer>> {
    return answeredToken(await this.conversation.tokenWire(purpose, request));
  }

  async pair(wanted: CodeWanted = {}): Promise<AnsweredPair> {
    const { redirectUri: redirect_uri, application } = wanted;
    const redirect: ParameterChanges = redirect_uri === undefined ? {} : { redirect_uri };
    await this.tick();
    const code = await this.code(wanted);
    return this.#given(await this.exchange('exchange the code', code, redirect, application), 'an exchange');
  }

  async refreshed(pair: AnsweredPair): Promise<AnsweredPair> {
    return this.#given(await this.refresh('refresh', pair.refreshToken), 'a refresh');
  }

  #given(answer: Answered<TokenAnswer>, what: string): AnsweredPair {
    const pair = this.pairOf(answer);
    if (pair !== undefined) return pair;
    throw new NotObservable(`${what} gave no pair of tokens: status ${answer.response.status}`);
  }

  pairOf(answer: TokenAnswer): AnsweredPair | undefined {
    const { accessToken, refreshToken } = answer.tokens;
    if (!isSuccess(answer.response) || accessToken === undefined || refreshToken === undefined)
      return undefined;
    return { accessToken, refreshToken, answer };
  }

  async refreshable(): Promise<void> {
    if (this.conversation.requestStyle.refreshBeforeExpiry) return;
    await this.pass(LIFETIME + this.target.skewSeconds);
  }

  async accessToken(): Promise<string> {
    this.#pair ??= await this.pair();
    return this.#pair.accessToken;
  }

  async operate(
    operation: Operation,
    call: Partial<Omit<ResourceCall, 'operation'>> = {},
    conversation: Conversation = this.conversation,
  ): Promise<WireResponse> {
    const token = 'token' in call ? call.token : await this.accessToken();
    const { response, exchange } = await conversation.resource(operation, {
      operation,
      project: call.project ?? this.target.projects[0],
      ...(operation === 'list' ? {} : { user: call.user ?? this.target.users[0] }),
      token,
    });
    return answered(response, exchange.failure?.message, operation);
  }

  async isAccepted(token: string): Promise<boolean> {
    return isSuccess(await this.operate('list', { token }));
  }

  async send(purpose: string, request: WireRequest): Promise<WireResponse> {
    const { response, failure } = await this.conversation.recorder.send(purpose, request);
    return answered(response, failure?.message, purpose);
  }
}

export function neverIssued(): string {
  return `never-issued-${randomBytes(18).toString('base64url')}`;
}

function answeredToken(answer: TokenAnswer): Answered<TokenAnswer> {
  return {
    ...answer,
    response: answered(answer.response, answer.exchange.failure?.message, answer.exchange.purpose),
  };
}

function answered(
  response: WireResponse | undefined,
  failure: string | undefined,
  what: string,
): WireResponse {
  if (response === undefined) throw new NoAnswer(`${what}: ${failure ?? 'no answer'}`);
  if (response.status === 429 || response.status === 503)
    throw new NoAnswer(`${what}: status ${response.status}`);
  return response;
}

/** Observes one or more aspects. Never evaluates; reports what it cannot see. */
export interface Probe {
  readonly openPoint: OpenPointId;
  readonly aspects: readonly AspectId[];
  /** Usual number of requests, without pages; by the answers of the target's profile, if it has one. */
  readonly requests: number | ((known: SeenAnswers) => number);
  readonly run: (context: ProbeContext) => Promise<void>;
}

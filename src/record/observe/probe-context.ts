import { randomBytes } from 'node:crypto';
import type { ProfileDepartures } from '../../../generated/schemas.d.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import type {
  AnswerAt,
  AspectAnswer,
  AspectId,
  SeenAtOpenPoints,
  Unseen,
} from '../../document/profiles/aspects.ts';
import {
  rightValuesOf,
  type WrongAuthorization,
  type WrongTokenRequest,
} from '../../evaluation/requests/wrong-requests.ts';
import {
  type Exchange,
  type Header,
  isBusy,
  isSuccess,
  type WireRequest,
  type WireResponse,
} from '../../http/exchange.ts';
import { exchangesOf, type RecordEntry } from '../../http/recorder.ts';
import type { AuthorizeOutcome, Decision } from '../../service/agent/user-agent.ts';
import {
  type Answered,
  provesNothing,
  type ReceivedPair,
  type TokenAnswer,
} from '../../service/flow/answers.ts';
import { codeIn, FlowSteps, type GivenPair } from '../../service/flow/flow-steps.ts';
import {
  exchangeParameters,
  type Operation,
  type ParameterChanges,
  type Parameters,
  type ResourceCall,
  refreshParameters,
  resourceRequest,
  withChanges,
} from '../../service/flow/requests.ts';
import { ServiceClient, type WantedGrant } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import type { Application } from '../../service/target.ts';

/** Collects what the probes of a run see, until all have run. */
export class SeenSoFar implements SeenAtOpenPoints {
  readonly answers = new Map<AspectId, AspectAnswer>();
  readonly evidence = new Map<AspectId, string>();
  readonly unseen = new Map<AspectId, Unseen>();
  readonly pages: (readonly Header[])[] = [];
  readonly departures: ProfileDepartures = {};
  readonly entries: RecordEntry[] = [];

  /** Records an answer; the first one at an aspect stays. */
  see(aspect: AspectId, answer: AspectAnswer, evidence: string): void {
    if (this.answers.has(aspect)) return;
    this.answers.set(aspect, answer);
    this.unseen.delete(aspect);
    this.evidence.set(aspect, evidence);
  }

  miss(aspect: AspectId, unseen: Unseen): void {
    if (this.answers.has(aspect) || this.unseen.has(aspect)) return;
    this.unseen.set(aspect, unseen);
  }
}

/** A prerequisite or an answer is missing; the message completes "not observable:" or "no answer:". */
export class NotObservable extends Error {
  readonly why: 'not-observable' | 'no-answer';

  constructor(reason: string, why: NotObservable['why'] = 'not-observable') {
    super(reason);
    this.why = why;
  }
}

interface CodeWanted extends WantedGrant {
  readonly extra?: Parameters;
}

export type Wait = (seconds: number) => Promise<void>;

/** Sends requests in the style of the smoke flow and records a probe's answers. Throws {@link NotObservable} without an answer. */
export class ProbeContext extends FlowSteps {
  readonly #soFar: SeenSoFar;
  readonly #wanted: ReadonlySet<AspectId>;
  readonly #wait: Wait | undefined;

  constructor(session: Session, soFar: SeenSoFar, wanted: ReadonlySet<AspectId>, wait?: Wait) {
    super(new ServiceClient(session));
    this.#soFar = soFar;
    this.#wanted = wanted;
    this.#wait = wait;
  }

  get application(): Application {
    return this.target.application;
  }

  wants(...aspects: readonly AspectId[]): boolean {
    return aspects.some((aspect) => this.#wanted.has(aspect));
  }

  seen<A extends AspectId>(aspect: A): AnswerAt<A> | undefined {
    return this.#soFar.answers.get(aspect) as AnswerAt<A> | undefined;
  }

  see<A extends AspectId>(aspect: A, answer: AnswerAt<A> | undefined, together?: string): void {
    if (answer === undefined || !this.#wanted.has(aspect)) return;
    const evidence = together ?? lastExchange(this.serviceClient.recorder.entries);
    this.#soFar.see(aspect, answer as AspectAnswer, evidence);
  }

  cannot(aspect: AspectId, reason: string): void {
    this.#soFar.miss(aspect, { why: 'not-observable', reason });
  }

  /** Returns the simplest change of a wrong request; undefined, and noted, without the application that it takes. */
  changesOf({ aspect, change }: Wrong, credential = ''): ParameterChanges | undefined {
    const [changes] = change(rightValuesOf(this.target, credential));
    if (changes === undefined && aspect !== undefined)
      this.cannot(aspect, 'it takes a second application (configure `secondApplication`)');
    return changes;
  }

  noteDeparture(departures: ProfileDepartures): void {
    Object.assign(this.#soFar.departures, departures);
  }

  /** Lets a second pass, because some services return equal tokens to equal requests of one second. */
  async tick(): Promise<void> {
    if (this.seen('token-response-fields.distinct-tokens') !== true) await this.target.clock?.advance(1);
  }

  /** Lets access tokens expire: by the clock, or in real time if the user allows it. */
  async outlive(): Promise<void> {
    if (this.target.clock !== undefined || this.#wait === undefined) return this.expire();
    await this.#wait(LIFETIME + this.target.skewSeconds);
    this.forgetToken();
  }

  authorization(changes: ParameterChanges = {}, wanted: CodeWanted = {}): Parameters {
    return [...withChanges(this.serviceClient.authorization(wanted), changes), ...(wanted.extra ?? [])];
  }

  async authorize(parameters: Parameters, decision: Decision = 'grant'): Promise<AuthorizeOutcome> {
    const outcome = await this.serviceClient.authorize(parameters, {
      decision,
      signedIn: true,
      through: 'cookies',
    });
    const busy = outcome.pages.find(({ status }) => isBusy(status));
    const trouble = outcome.trouble ?? (busy && `status ${busy.status}`);
    if (trouble !== undefined) throw new NotObservable(`authorization request: ${trouble}`, 'no-answer');
    for (const { headers } of outcome.pages) this.#soFar.pages.push(headers);
    return outcome;
  }

  override async code(wanted: CodeWanted = {}): Promise<string> {
    return codeIn(await this.authorize(this.authorization({}, wanted)), wanted.scope);
  }

  exchange(
    purpose: string,
    code: string,
    changes: ParameterChanges = {},
    application: Application = this.application,
  ): Promise<Answered<TokenAnswer>> {
    return this.#token(purpose, exchangeParameters(application, code), changes);
  }

  refresh(
    purpose: string,
    refreshToken: string,
    changes: ParameterChanges = {},
  ): Promise<Answered<TokenAnswer>> {
    const parameters = refreshParameters(this.application, refreshToken, this.requestStyle);
    return this.#token(purpose, parameters, changes);
  }

  async #token(purpose: string, documented: Parameters, changes: ParameterChanges) {
    return answered(await this.serviceClient.token(purpose, withChanges(documented, changes)));
  }

  async tokenWire(purpose: string, request: WireRequest): Promise<Answered<TokenAnswer>> {
    return answered(await this.serviceClient.tokenWire(purpose, request));
  }

  override async pair(wanted?: CodeWanted): Promise<GivenPair> {
    await this.tick();
    return super.pair(wanted);
  }

  pairOf({ response, tokens: { accessToken, refreshToken } }: TokenAnswer): ReceivedPair | undefined {
    return isSuccess(response) && accessToken && refreshToken ? { accessToken, refreshToken } : undefined;
  }

  async operate(
    operation: Operation,
    call?: Partial<Omit<ResourceCall, 'operation'>>,
  ): Promise<WireResponse> {
    return answered(await this.operation(operation, call)).response;
  }

  /** Returns a request for the first project and user, to change and {@link send} it. */
  operationRequest(operation: Operation, token: string | undefined): WireRequest {
    const { projects, users } = this.target;
    const user = operation === 'list' ? undefined : users[0];
    const call = { operation, project: projects[0], user, token };
    return resourceRequest(this.target, this.requestStyle, call);
  }

  async isAccepted(token: string): Promise<boolean> {
    return isSuccess(await this.operate('list', { token }));
  }

  async send(purpose: string, request: WireRequest): Promise<WireResponse> {
    return answered(await this.serviceClient.recorder.send(purpose, request)).response;
  }
}

type Wrong = Pick<WrongAuthorization | WrongTokenRequest, 'change' | 'aspect'>;

/** Returns the wrong requests of a table that an aspect asks for. */
export function failuresIn<A extends AspectId>(rows: readonly Wrong[], apart: readonly AspectId[] = []) {
  return rows.flatMap(({ aspect, change }) =>
    aspect === undefined || apart.includes(aspect) ? [] : [{ aspect: aspect as A, change }],
  );
}

export function unissuedToken(): string {
  return `never-issued-${randomBytes(18).toString('base64url')}`;
}

function answered<T extends Exchange>(answer: T): Answered<T> {
  const { purpose, response } = answer;
  const why = provesNothing(answer);
  if (why === undefined && response !== undefined) return { ...answer, response };
  throw new NotObservable(`${purpose}: ${why}`, 'no-answer');
}

/** Names the last exchange: `assign: 200`. Without addresses and values, because the file may be committed. */
function lastExchange(entries: readonly RecordEntry[]): string {
  const last = exchangesOf(entries).at(-1);
  if (last === undefined) return 'read off the configuration';
  const { purpose, response } = last;
  return `${purpose}: ${response?.status ?? 'no answer'}`;
}

/** Observes one or more aspects. Never evaluates; reports what it cannot see. */
export interface Probe {
  /** The first one is of the open point that the probe is about. */
  readonly aspects: readonly AspectId[];
  readonly run: (context: ProbeContext) => Promise<void>;
}

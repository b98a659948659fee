import type { RequirementId } from '../../generated/ids.ts';
import { isSuccess, pastServerError, type WireRequest } from '../exchange/exchange.ts';
import type { Conversation, TokenAnswer } from '../flow/conversation.ts';
import {
  changed,
  exchangeParameters,
  OMITTED,
  type ParameterChanges,
  refreshParameters,
} from '../flow/parameters.ts';
import { encodeForm, type Parameters, tokenRequest } from '../flow/requests.ts';
import type { Spelling } from '../flow/spelling.ts';
import { howAltered } from '../requests/altered.ts';
import type { Application } from '../targets/target.ts';
import type { Observe } from './observe.ts';
import { Blocked, ConformanceFailure, NotRun } from './outcome.ts';
import type { Refusals } from './refusals.ts';

export { OMITTED };

export type HeardTokenAnswer = TokenAnswer & { readonly response: NonNullable<TokenAnswer['response']> };

export class TokenActs {
  readonly #conversation: Conversation;
  readonly #refusals: Refusals;
  readonly #observe: Observe;
  readonly #spelling: Spelling | undefined;
  readonly #usual: string | undefined;

  constructor(
    conversation: Conversation,
    refusals: Refusals,
    observe: Observe,
    spelling?: Spelling,
    usual?: string,
  ) {
    this.#conversation = conversation;
    this.#refusals = refusals;
    this.#observe = observe;
    this.#spelling = spelling;
    this.#usual = usual;
  }

  spelled(spelling: Spelling): TokenActs {
    return new TokenActs(this.#conversation, this.#refusals, this.#observe, spelling, this.#usual);
  }

  /** Returns the same requests, named after the difference of their code or refresh token from a good one. */
  insteadOf(usual: string): TokenActs {
    return new TokenActs(this.#conversation, this.#refusals, this.#observe, this.#spelling, usual);
  }

  /**
   * An exchange (clause 4.2) with the five documented parameters, some of them changed.
   *
   * @param changes by parameter name; `code` is needed unless it is {@link OMITTED}
   * @param application whose credentials are sent; the first application's unless another is named
   */
  exchange(
    changes: ParameterChanges & { readonly code: string | typeof OMITTED },
    application = this.#application,
  ): TokenAct {
    const documented = exchangeParameters(application, '');
    return this.#act(
      nameOf('exchange', changes, documented, this.#usual),
      changed(documented, changes),
      'exchange',
    );
  }

  refresh(
    changes: ParameterChanges & { readonly refresh_token: string | typeof OMITTED },
    application = this.#application,
  ): TokenAct {
    const documented = refreshParameters(application, '', this.#conversation.dialect);
    return this.#act(
      nameOf('refresh', changes, documented, this.#usual),
      changed(documented, changes),
      'refresh',
    );
  }

  parameters(purpose: string, parameters: Parameters): TokenAct {
    const { session, dialect } = this.#conversation;
    if (dialect.tokenBody === 'json')
      throw new Blocked(
        purpose,
        'exchange.form-encoded',
        'the target demands JSON, which has each name once',
      );
    return this.request(purpose, {
      ...tokenRequest(session.target, dialect, parameters),
      body: encodeForm(parameters),
    });
  }

  request(purpose: string, request: WireRequest): TokenAct {
    return new TokenAct(
      purpose,
      'exchange',
      () => this.#conversation.tokenWire(purpose, request),
      this.#refusals,
      this.#observe,
    );
  }

  get #application(): Application {
    return this.#conversation.session.target.application;
  }

  #act(purpose: string, parameters: Parameters, kind: 'exchange' | 'refresh'): TokenAct {
    const spelling = this.#spelling;
    return new TokenAct(
      spelling?.name ? `${purpose}, ${spelling.name}` : purpose,
      kind,
      () => this.#conversation.token(purpose, parameters, spelling),
      this.#refusals,
      this.#observe,
    );
  }
}

/** Returns the request's name in the report: `exchange without client_secret`, `refresh with client_id cut short`. */
function nameOf(
  kind: string,
  changes: ParameterChanges,
  documented: Parameters,
  credential: string | undefined,
): string {
  const parts = Object.entries(changes)
    .filter(([name]) => name !== 'code' && name !== 'refresh_token')
    .map(([name, value]) => {
      if (value === OMITTED) return `without ${name}`;
      const usual = documented.find(([known]) => known === name)?.[1];
      return `with ${howAltered(name, value, usual)}`;
    });
  for (const name of ['code', 'refresh_token']) {
    const value = changes[name];
    if (value === OMITTED) parts.push(`without ${name}`);
    else if (value === '') parts.push(`with empty ${name}`);
    else if (value !== undefined && credential !== undefined && value !== credential)
      parts.push(`with ${howAltered(name, value, credential)}`);
  }
  return parts.length === 0 ? kind : `${kind} ${parts.join(', ')}`;
}

/** A request to the token endpoint, sent on first access to its answer. */
export class TokenAct {
  readonly purpose: string;
  readonly #kind: 'exchange' | 'refresh';
  readonly #send: () => Promise<TokenAnswer>;
  readonly #refusals: Refusals;
  readonly #observe: Observe;

  constructor(
    purpose: string,
    kind: 'exchange' | 'refresh',
    send: () => Promise<TokenAnswer>,
    refusals: Refusals,
    observe: Observe,
  ) {
    this.purpose = purpose;
    this.#kind = kind;
    this.#send = send;
    this.#refusals = refusals;
    this.#observe = observe;
  }

  /** Sends the request. Throws {@link NotRun} for no answer or a 429. */
  async answer(): Promise<HeardTokenAnswer> {
    const answer = await this.#send();
    const { response } = answer;
    if (response === undefined)
      throw new NotRun(`${this.purpose}: ${answer.exchange.failure?.message ?? 'no answer'}`);
    if (response.status === 429)
      throw new NotRun(`${this.purpose}: the target answered 429, too many requests`);
    return { ...answer, response };
  }

  async expectHonoured(): Promise<HeardTokenAnswer> {
    const answer = await pastServerError(() => this.answer());
    if (!isHonoured(answer))
      throw new ConformanceFailure(`${this.purpose} to be honoured with tokens`, came(answer));
    this.#observe({ of: 'token-success', answer });
    return answer;
  }

  /** Returns the answer of an accepted request for a check about its contents; otherwise blocks the check. */
  async asAccepted(): Promise<HeardTokenAnswer> {
    const answer = await pastServerError(() => this.answer());
    if (!isSuccess(answer.response)) throw new Blocked(this.purpose, this.#owner, came(answer));
    this.#observe({ of: 'token-success', answer });
    return answer;
  }

  /** Returns the answer of a prerequisite request that issued tokens; otherwise blocks the check. */
  async asGiven(owner = this.#owner): Promise<HeardTokenAnswer> {
    const answer = await pastServerError(() => this.answer());
    if (!isHonoured(answer)) throw new Blocked(this.purpose, owner, came(answer), withoutToken(answer));
    this.#observe({ of: 'token-success', answer });
    return answer;
  }

  /** Requires that no token is issued, whatever the status. Only counts beside an accepted twin. */
  async expectRefused(): Promise<HeardTokenAnswer> {
    const answer = await this.answer();
    const { accessToken, refreshToken } = answer.tokens;
    if (accessToken !== undefined || refreshToken !== undefined) {
      throw new ConformanceFailure(`${this.purpose} to be refused, without any token`, came(answer));
    }
    if (answer.response.status >= 500) this.#refusals.serverError(this.purpose, answer.response.status);
    else this.#refusals.refused();
    this.#observe({ of: 'token-refusal', answer });
    return answer;
  }

  /** Sends the refused request without its difference; returns the answer if accepted, which proves the refusal. */
  async twinIfAccepted(): Promise<HeardTokenAnswer | undefined> {
    const answer = await this.answer();
    if (!isHonoured(answer)) return undefined;
    this.#refusals.twinAccepted();
    return answer;
  }

  /**
   * The same request as one refused before, with the one difference fixed: it must be accepted, else nothing is proven.
   *
   * @param seen what a refusal (400) proves of the owner, where no setting can be the cause
   */
  async expectTwinAccepted(seen?: ConformanceFailure): Promise<HeardTokenAnswer> {
    const answer = await this.answer();
    if (answer.response.status >= 500)
      throw new NotRun(`the twin of a refused request got ${answer.response.status}`);
    if (!isHonoured(answer)) {
      const proof = answer.response.status === 400 ? seen : undefined;
      throw new Blocked(`see the twin accepted (${this.purpose})`, this.#owner, came(answer), proof);
    }
    this.#refusals.twinAccepted();
    return answer;
  }

  get #owner(): RequirementId {
    return this.#kind === 'refresh' ? 'refresh.token-response' : 'exchange.form-encoded';
  }
}

function isHonoured(answer: HeardTokenAnswer): boolean {
  return isSuccess(answer.response) && answer.tokens.accessToken !== undefined;
}

function withoutToken({ response }: HeardTokenAnswer): ConformanceFailure | undefined {
  if (!isSuccess(response)) return undefined;
  return new ConformanceFailure('a token response with access_token', 'a success without it');
}

/** Describes the answer in words that do not change between runs. */
export function came(answer: HeardTokenAnswer): string {
  const error = (answer.json as { error?: unknown } | undefined)?.error;
  const held = [
    answer.tokens.accessToken === undefined ? undefined : 'an access token',
    answer.tokens.refreshToken === undefined ? undefined : 'a refresh token',
  ].filter((s) => s !== undefined);
  const what =
    held.length > 0
      ? ` with ${held.join(' and ')}`
      : typeof error === 'string'
        ? ` (${error})`
        : ' without tokens';
  return `status ${answer.response.status}${what}`;
}

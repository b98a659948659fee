import type { RequirementId } from '../../../generated/ids.ts';
import { errorCodeOf } from '../../http/answer-body.ts';
import {
  headerOf,
  isSuccess,
  isUnavailable,
  pastServerError,
  type WireRequest,
} from '../../http/exchange.ts';
import { type Answered, BLANK_CODE, type TokenAnswer } from '../../service/flow/answers.ts';
import {
  encodeForm,
  exchangeParameters,
  OMITTED,
  type ParameterChanges,
  type Parameters,
  refreshParameters,
  tokenRequest,
  withChanges,
} from '../../service/flow/requests.ts';
import type { Spelling } from '../../service/flow/spelling.ts';
import type { Application } from '../../service/target.ts';
import { howAltered } from '../requests/altered.ts';
import { type ActionParts, requireAnswer } from './action-parts.ts';
import { Blocked, ConformanceFailure, NotRun, ProvenFailure } from './outcome.ts';

export class TokenActions {
  readonly #acting: ActionParts;
  readonly #spelling: Spelling | undefined;
  readonly #usual: string | undefined;
  readonly #what: string | undefined;

  constructor(acting: ActionParts, spelling?: Spelling, usual?: string, what?: string) {
    this.#acting = acting;
    this.#spelling = spelling;
    this.#usual = usual;
    this.#what = what;
  }

  spelled(spelling: Spelling): TokenActions {
    return new TokenActions(this.#acting, spelling, this.#usual, this.#what);
  }

  /**
   * Returns the same requests, named after the difference of their code or refresh token from a good one.
   * @param what the name of one that has nothing in common with the good one
   */
  insteadOf(usual: string, what?: string): TokenActions {
    return new TokenActions(this.#acting, this.#spelling, usual, what);
  }

  /** An exchange (clause 4.2) with the five documented parameters, some of them changed; `code` is required. */
  exchange(
    changes: ParameterChanges & { readonly code: string | typeof OMITTED },
    application = this.#application,
  ): TokenAction {
    const documented = exchangeParameters(application, '');
    return this.#act('exchange', documented, changes);
  }

  refresh(
    changes: ParameterChanges & { readonly refresh_token: string | typeof OMITTED },
    application = this.#application,
  ): TokenAction {
    const documented = refreshParameters(application, '', this.#acting.serviceClient.requestStyle);
    return this.#act('refresh', documented, changes);
  }

  parameters(purpose: string, parameters: Parameters): TokenAction {
    const { session, requestStyle } = this.#acting.serviceClient;
    if (requestStyle.tokenBody === 'json')
      throw new Blocked(
        purpose,
        'exchange.form-encoded',
        'the target demands JSON, which has each name once',
      );
    return this.request(purpose, {
      ...tokenRequest(session.target, requestStyle, parameters),
      body: encodeForm(parameters),
    });
  }

  request(purpose: string, request: WireRequest): TokenAction {
    const send = () => this.#acting.serviceClient.tokenWire(purpose, request);
    return new TokenAction(this.#acting, purpose, 'exchange', send);
  }

  get #application(): Application {
    return this.#acting.serviceClient.session.target.application;
  }

  #act(kind: 'exchange' | 'refresh', documented: Parameters, changes: ParameterChanges): TokenAction {
    const spelling = this.#spelling;
    const purpose = nameOf(kind, changes, documented, this.#usual, this.#what);
    const parameters = withChanges(documented, changes);
    const send = () => this.#acting.serviceClient.token(purpose, parameters, spelling);
    return new TokenAction(
      this.#acting,
      spelling?.name ? `${purpose} (${spelling.name})` : purpose,
      kind,
      send,
    );
  }
}

/** Returns the request's name in the report: `exchange without client_secret`, `refresh with client_id cut short`. */
function nameOf(
  kind: string,
  changes: ParameterChanges,
  documented: Parameters,
  credential: string | undefined,
  what: string | undefined,
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
      parts.push(`with ${howAltered(name, value, credential, what)}`);
  }
  return parts.length === 0 ? kind : `${kind} ${parts.join(', ')}`;
}

export class TokenAction {
  readonly purpose: string;
  readonly #acting: ActionParts;
  readonly #kind: 'exchange' | 'refresh';
  readonly #send: () => Promise<TokenAnswer>;

  constructor(
    acting: ActionParts,
    purpose: string,
    kind: 'exchange' | 'refresh',
    send: () => Promise<TokenAnswer>,
  ) {
    this.purpose = purpose;
    this.#acting = acting;
    this.#kind = kind;
    this.#send = send;
  }

  async send(): Promise<Answered<TokenAnswer>> {
    return requireAnswer(this.purpose, await this.#send());
  }

  async expectSuccess(): Promise<Answered<TokenAnswer>> {
    const answer = await pastServerError(() => this.send());
    if (isRefusedBlank(answer)) throw new Blocked(this.purpose, this.#ownerOf(answer), answerInBrief(answer));
    if (!isHonoured(answer))
      throw new ConformanceFailure(
        `${this.purpose} to be honoured with tokens`,
        answerInBrief(answer),
        answer.response,
      );
    this.#acting.noteAnswer({ of: 'token-success', answer });
    return answer;
  }

  /** Returns the answer of an accepted request for a check about its contents; otherwise blocks the check. */
  async requireAccepted(): Promise<Answered<TokenAnswer>> {
    const answer = await pastServerError(() => this.send());
    if (!isSuccess(answer.response))
      throw new Blocked(this.purpose, this.#ownerOf(answer), answerInBrief(answer));
    this.#acting.noteAnswer({ of: 'token-success', answer });
    return answer;
  }

  /** Returns the answer of a prerequisite request that issued tokens; otherwise blocks the check. */
  async requireSuccess(owner?: RequirementId): Promise<Answered<TokenAnswer>> {
    const answer = await pastServerError(() => this.send());
    if (!isHonoured(answer))
      throw new Blocked(
        this.purpose,
        owner ?? this.#ownerOf(answer),
        answerInBrief(answer),
        withoutToken(answer),
      );
    this.#acting.noteAnswer({ of: 'token-success', answer });
    return answer;
  }

  /** Requires that no token is issued, whatever the status. Only counts beside an accepted twin. */
  async expectRefused(): Promise<Answered<TokenAnswer>> {
    const answer = await this.send();
    const { accessToken, refreshToken } = answer.tokens;
    if (accessToken !== undefined || refreshToken !== undefined) {
      throw new ProvenFailure(
        `${this.purpose} to be refused, without any token`,
        answerInBrief(answer),
        answer.response,
      );
    }
    this.#acting.refusals.refused(this.purpose, answer.response.status);
    this.#acting.noteAnswer({ of: 'token-refusal', answer });
    return answer;
  }

  /** Sends the refused request without its difference; returns the answer if accepted, which proves the refusal. */
  async twinIfAccepted(): Promise<Answered<TokenAnswer> | undefined> {
    const answer = await this.send();
    if (!isHonoured(answer)) return undefined;
    this.#acting.refusals.twinAccepted();
    return answer;
  }

  /**
   * Sends the refused request with its one difference fixed. It must be accepted, otherwise the refusal proves nothing.
   * @param seen the proof that a refusal (400) gives if no setting can be the cause
   */
  async expectTwinAccepted(seen?: ConformanceFailure): Promise<Answered<TokenAnswer>> {
    const answer = await this.send();
    if (answer.response.status >= 500)
      throw new NotRun(`the twin of a refused request got ${answer.response.status}`);
    if (!isHonoured(answer)) {
      const proof = answer.response.status === 400 ? seen : undefined;
      throw new Blocked(
        `see the twin accepted (${this.purpose})`,
        this.#ownerOf(answer),
        answerInBrief(answer),
        proof,
      );
    }
    this.#acting.refusals.twinAccepted();
    return answer;
  }

  #ownerOf(answer: Answered): RequirementId {
    if (isRefusedBlank(answer)) return 'authorize.redirects-with-code';
    return this.#kind === 'refresh' ? 'refresh.token-response' : 'exchange.form-encoded';
  }
}

function isHonoured(answer: Answered<TokenAnswer>): boolean {
  return isSuccess(answer.response) && answer.tokens.accessToken !== undefined;
}

function withoutToken({ response }: Answered<TokenAnswer>): ConformanceFailure | undefined {
  if (!isSuccess(response)) return undefined;
  return new ConformanceFailure('a token response with access_token', 'a success without it');
}

export function answerInBrief(answer: Answered<TokenAnswer>): string {
  const error = errorCodeOf(answer.response);
  const held = [
    answer.tokens.accessToken === undefined ? undefined : 'an access token',
    answer.tokens.refreshToken === undefined ? undefined : 'a refresh token',
  ].filter((s) => s !== undefined);
  const encoding = headerOf(answer.response, 'content-encoding');
  const encoded = encoding === undefined ? '' : ` that can be read, with Content-Encoding: ${encoding}`;
  const none = error === undefined ? ` without tokens${encoded}` : ` (${error})`;
  const what = held.length > 0 ? ` with ${held.join(' and ')}` : none;
  return `status ${answer.response.status}${what}${isRefusedBlank(answer) ? `: ${BLANK_CODE}` : ''}`;
}

/**
 * True for a refused code with a blank, which a form writes as a plus sign: a redirect that does not encode its plus sign gives
 * such a code.
 */
export function isRefusedBlank({ request, response }: Answered): boolean {
  const isRefused = !isSuccess(response) && !isUnavailable(response);
  return isRefused && /(?:^|&)code=[^&]*\+/.test(request.body ?? '');
}

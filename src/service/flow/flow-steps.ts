import type { RequirementId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { describedAs, memberOf, refusalIn } from '../../http/answer-body.ts';
import { type Exchange, isBusy, isSuccess, pastServerError, TransportFailure } from '../../http/exchange.ts';
import { orError } from '../../http/or-else.ts';
import { pageAddress } from '../agent/page-address.ts';
import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import { ALL_SCOPES, type Application, type Target } from '../target.ts';
import {
  type Answered,
  isSendable,
  provesNothing,
  type ReceivedPair,
  type ReceivedTokens,
  type TokenAnswer,
} from './answers.ts';
import type { OwnAssignment } from './assigned-by-run.ts';
import {
  exchangeParameters,
  type Operation,
  type RequestStyle,
  type ResourceCall,
  refreshParameters,
} from './requests.ts';
import type { AuthorizeVisit, ServiceClient, WantedGrant } from './service-client.ts';
import type { Session } from './session.ts';
import { type Clues, ownerOfRefusal, STEP_OWNER, type StepId, type StepOutcome } from './smoke-steps.ts';

/** A step of {@link FlowSteps} that did not work. Each caller maps it once to its own kind of result. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly step: StepId;
  readonly status: Exclude<StepOutcome['status'], 'done' | 'workaround'>;
  readonly owner: RequirementId;
  readonly httpStatus: number | undefined;
  readonly ownLeft: readonly OwnAssignment[] | undefined;
  readonly clues: Clues;

  constructor(
    step: StepId,
    status: Stopped['status'],
    why: string,
    {
      owner = STEP_OWNER[step],
      httpStatus,
      ownLeft,
      clues = {},
    }: Partial<Pick<Stopped, 'owner' | 'httpStatus' | 'ownLeft' | 'clues'>> = {},
  ) {
    super(why);
    this.step = step;
    this.status = status;
    this.owner = owner;
    this.httpStatus = httpStatus;
    this.ownLeft = ownLeft;
    this.clues = clues;
  }
}

export function orStopped<T>(work: Promise<T>): Promise<T | Stopped> {
  return orError(work, Stopped);
}

export interface GivenPair extends ReceivedPair {
  /** True for the pair of a refresh: another requirement covers refreshing it again. */
  readonly refreshed?: true;
}

export const NO_CLOCK = 'it takes a clock that can be moved (configure `clock`)';

/** Obtains codes, tokens and assigned users as documented. Each method throws {@link Stopped} when a step does not work. */
export class FlowSteps {
  serviceClient: ServiceClient;
  #accessToken: string | undefined;

  constructor(serviceClient: ServiceClient, accessToken?: string) {
    this.serviceClient = serviceClient;
    this.#accessToken = accessToken;
  }

  get session(): Session {
    return this.serviceClient.session;
  }

  get target(): Target {
    return this.session.target;
  }

  get requestStyle(): RequestStyle {
    return this.serviceClient.requestStyle;
  }

  /** @param elsewhere a browser without a session, in which the owner signs in; absent: the browser of the run */
  async code(
    wanted: WantedGrant = {},
    elsewhere?: AuthorizeVisit['elsewhere'],
    pause?: AuthorizeVisit['pause'],
  ): Promise<string> {
    const { serviceClient } = this;
    const through = elsewhere === undefined ? 'cookies' : 'cookies-only';
    const visit = { decision: 'grant', signedIn: true, through, elsewhere, pause } as const;
    return codeIn(await serviceClient.authorize(serviceClient.authorization(wanted), visit), wanted.scope);
  }

  async tokens(code: string, wanted: Omit<WantedGrant, 'scope'> = {}): Promise<ReceivedTokens> {
    const { application = this.target.application, redirectUri } = wanted;
    const parameters = exchangeParameters(application, code, redirectUri);
    const answer = await pastServerError(() => this.serviceClient.token('exchange the code', parameters));
    return tokensOf('exchange', answer);
  }

  async exchanged(code: string, wanted?: WantedGrant): Promise<GivenPair> {
    return pairOf('exchange', await this.tokens(code, wanted));
  }

  async pair(wanted?: WantedGrant): Promise<GivenPair> {
    return this.exchanged(await this.code(wanted), wanted);
  }

  async freshAccessToken(wanted?: WantedGrant): Promise<string> {
    return (await this.tokens(await this.code(wanted), wanted)).accessToken;
  }

  /** Returns an access token with all three scopes, the same until it is forgotten. */
  async accessToken(): Promise<string> {
    this.#accessToken ??= await this.freshAccessToken();
    return this.#accessToken;
  }

  /** Forgets the token of {@link accessToken} after time has passed or a refresh may have replaced it. */
  forgetToken(): void {
    this.session.lastLists.forget();
    this.#accessToken = undefined;
  }

  async refreshed(pair: GivenPair, application?: Application): Promise<GivenPair> {
    await this.waitUntilRefreshIsAllowed();
    return this.refreshedNow(pair, application);
  }

  async refreshedNow(pair: GivenPair, application = this.target.application): Promise<GivenPair> {
    const parameters = refreshParameters(application, pair.refreshToken, this.requestStyle);
    const answer = await pastServerError(() => this.serviceClient.token('refresh', parameters));
    // A service that reissues tokens may have refreshed its own token.
    this.forgetToken();
    const owner = pair.refreshed ? 'refresh.chain' : STEP_OWNER.refresh;
    return { ...pairOf('refresh', tokensOf('refresh', answer, owner), owner), refreshed: true };
  }

  /** Lets tokens expire if the target refuses an earlier refresh, which the document leaves open. */
  async waitUntilRefreshIsAllowed(): Promise<void> {
    if (!this.requestStyle.refreshBeforeExpiry) await this.expire('refused before expiry: ');
  }

  async expire(why?: string): Promise<void> {
    await this.pass(LIFETIME + this.target.skewSeconds, why);
  }

  async pass(seconds: number, why = ''): Promise<void> {
    const { clock } = this.target;
    if (clock === undefined) throw new Stopped('refresh', 'unable', why + NO_CLOCK);
    const moved = seconds > 0 ? await orError(clock.advance(seconds), TransportFailure) : undefined;
    if (moved instanceof TransportFailure)
      throw new Stopped('refresh', 'no-answer', moved.message, { clues: { cause: moved } });
    this.forgetToken();
  }

  /** Sends an operation: by default in the first project, for the first user, with its own token. */
  async operation(
    operation: Operation,
    call: Partial<Omit<ResourceCall, 'operation'>> = {},
    purpose: string = operation,
  ): Promise<Exchange> {
    const { projects, users } = this.target;
    const { project = projects[0], user = users[0], spelling } = call;
    const token = 'token' in call ? call.token : await this.accessToken();
    const who = operation === 'list' ? {} : { user };
    return this.serviceClient.resource(purpose, { operation, project, ...who, token, spelling });
  }

  /** Sends an operation that the service must honour. */
  async act(...sent: Parameters<FlowSteps['operation']>): Promise<Answered> {
    const answer = await this.operation(...sent);
    const [step] = sent;
    const { response, failure } = answer;
    const why = provesNothing(answer);
    if (why !== undefined || response === undefined)
      throw new Stopped(step, 'no-answer', why ?? 'no answer', { clues: { cause: failure } });
    const { status: httpStatus } = response;
    if (isSuccess(response)) return { ...answer, response };
    // The suite has no copy that this could confirm (RFC 9110 section 15.4.5).
    if (httpStatus === 304)
      throw new Stopped(step, 'wrong', `${step} answered 304 to a request without a condition`, {
        owner: STEP_OWNER[step],
      });
    const owner = ownerOfRefusal(step, httpStatus);
    throw new Stopped(step, 'refused', `${step} answered ${httpStatus}`, { owner, httpStatus });
  }
}

export function codeIn(
  { caught, trouble, pages, instead, cause, finding, says }: AuthorizeOutcome,
  scope = ALL_SCOPES,
): string {
  const seen: Clues = { cause, finding, says, pageStatus: pages.at(-1)?.status };
  const stop = (status: Stopped['status'], why: string, clues = seen) =>
    new Stopped('authorize', status, why, { owner: ownerOfCode(scope), clues });
  if (caught === undefined) {
    if (trouble !== undefined) throw stop('no-answer', trouble);
    const last = pages.at(-1);
    if (last !== undefined && isBusy(last.status))
      throw stop('no-answer', `the page answered ${last.status}`);
    const shown = last === undefined ? 'nothing' : `a page (${last.status}) at ${pageAddress(last.url)}`;
    throw stop('refused', instead ?? `the browser was not redirected to the client; it was shown ${shown}`);
  }
  const { query, fragment } = redirectParameters(caught);
  const code = query.get('code');
  if (code) return code;
  const error = query.get('error') ?? fragment.get('error');
  const description = query.get('error_description') ?? fragment.get('error_description');
  if (error) {
    const clues: Clues = { cause: 'error redirected', says: error };
    throw stop('refused', `the redirect carries error=${error}${describedAs(description)}`, clues);
  }
  throw stop(
    'wrong',
    `the redirect carries ${fragment.get('code') ? 'the code in the fragment' : 'no code'}`,
  );
}

function ownerOfCode(scope: string): RequirementId {
  if (scope === ALL_SCOPES) return 'authorize.redirects-with-code';
  return scope.includes(' ') ? 'authorize.scope-combined' : 'authorize.scope-each';
}

export function tokensOf(
  step: 'exchange' | 'refresh',
  answer: TokenAnswer,
  owner: RequirementId = STEP_OWNER[step],
): ReceivedTokens {
  const { response, failure, tokens } = answer;
  const why = provesNothing(answer);
  if (why !== undefined)
    throw new Stopped(step, 'no-answer', why + refusalIn(response), { clues: { cause: failure } });
  if (!isSuccess(response)) {
    const message = `the token endpoint answered ${response?.status}${refusalIn(response)}`;
    const clues = { says: response?.body };
    throw new Stopped(step, 'refused', message, { owner, httpStatus: response?.status, clues });
  }
  const { accessToken, refreshToken } = tokens;
  if (accessToken === undefined) throw without('access_token', step, owner);
  const scope = memberOf(response, 'scope');
  if (isSendable('access_token', accessToken))
    return { accessToken, refreshToken, ...(typeof scope === 'string' && { scope }) };
  throw new Stopped(step, 'wrong', 'an access_token that no header can carry', wrongAt(step, owner));
}

export function pairOf(
  step: 'exchange' | 'refresh',
  { accessToken, refreshToken }: ReceivedTokens,
  owner: RequirementId = STEP_OWNER[step],
): ReceivedPair {
  if (refreshToken === undefined) throw without('refresh_token', step, owner);
  return { accessToken, refreshToken };
}

function without(member: string, step: 'exchange' | 'refresh', owner: RequirementId): Stopped {
  return new Stopped(step, 'wrong', `a success without ${member}`, wrongAt(step, owner));
}

function wrongAt(step: StepId, owner: RequirementId): { owner: RequirementId } {
  return { owner: step === 'exchange' ? 'exchange.token-response' : owner };
}

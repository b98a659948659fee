import type { RequirementId } from '../../generated/ids.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { Conversation } from '../flow/conversation.ts';
import { obtainSiblings } from '../flow/one-scope.ts';
import { authorizationParameters, exchangeParameters, refreshParameters } from '../flow/parameters.ts';
import { readCode } from '../flow/smoke-flow.ts';
import { ALL_SCOPES, type Application } from '../targets/target.ts';
import { Blocked, NotRun } from './outcome.ts';
import { ownerOfAbsence, ownerOfRefusal } from './resource-owners.ts';

/** Both tokens of a token response (clause 2.1). */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** True for the pair of a refresh: that it can be refreshed again is another requirement's. */
  readonly refreshed?: true;
}

/** Which code is wanted; without anything: the application's first redirect address and all three scopes. */
export interface CodeWanted {
  readonly scope?: string;
  readonly redirectUri?: string;
  readonly application?: Application;
}

/** Seconds after which a token is no longer handed to a check that only wants one that works. */
const EXPIRY = 7200;

/** Seconds after which a list that was held back in some cache is expected to be a new one. */
const STALE = 300;

/**
 * What a check needs and is not about. Each method either gives it or throws {@link Blocked}, naming the requirement
 * that owns the step, so that one broken thing fails one requirement.
 */
export class Given {
  readonly #conversation: Conversation;
  #pair: TokenPair | undefined;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** A fresh authorization code, granted by the owner (clause 4.1). */
  async code(wanted: CodeWanted = {}): Promise<string> {
    const c = this.#conversation;
    const application = wanted.application ?? c.session.target.application;
    if (c.dialect.oneScopeOnly && wanted.scope?.includes(' '))
      throw new Blocked('obtain a code', 'authorize.scope-combined', 'the target grants one scope at a time');
    const parameters = authorizationParameters(application, c.dialect, {
      scope: wanted.scope ?? ALL_SCOPES,
      redirectUri: wanted.redirectUri,
    });
    const outcome = await c.authorize(parameters, { decision: 'grant', signedIn: true, through: 'cookies' });
    const code = readCode(outcome);
    if (code.ok) return code.value;
    if (code.status === 'no-answer') throw new NotRun(`obtaining a code: ${code.message}`);
    throw new Blocked('obtain a code', ownerOfCode(wanted.scope ?? ALL_SCOPES), code.message);
  }

  /** The token pair for a code (clause 4.2). */
  async exchanged(code: string, wanted: CodeWanted = {}): Promise<TokenPair> {
    const application = wanted.application ?? this.#conversation.session.target.application;
    const parameters = exchangeParameters(
      application,
      code,
      wanted.redirectUri ?? application.redirectUris[0],
    );
    const answer = await this.#conversation.token('exchange the code', parameters);
    throttled(answer.response?.status, answer.exchange.failure?.message);
    if (!isSuccess(answer.response)) {
      throw new Blocked('exchange a code', 'exchange.form-encoded', `status ${answer.response?.status}`);
    }
    const { accessToken, refreshToken } = answer.tokens;
    if (accessToken === undefined || refreshToken === undefined) {
      const absent = accessToken === undefined ? 'access_token' : 'refresh_token';
      throw new Blocked('exchange a code', 'exchange.token-response', `the answer holds no ${absent}`);
    }
    return { accessToken, refreshToken };
  }

  /** A fresh token pair: a code, granted and exchanged. */
  async pair(wanted: CodeWanted = {}): Promise<TokenPair> {
    return this.exchanged(await this.code(wanted), wanted);
  }

  /** The pair that follows a pair (clause 4.3). */
  async refreshed(pair: TokenPair): Promise<TokenPair> {
    await this.refreshable();
    const { application } = this.#conversation.session.target;
    const answer = await this.#conversation.token(
      'refresh',
      refreshParameters(application, pair.refreshToken),
    );
    throttled(answer.response?.status, answer.exchange.failure?.message);
    const { accessToken, refreshToken } = answer.tokens;
    if (!isSuccess(answer.response) || accessToken === undefined || refreshToken === undefined) {
      const owner = pair.refreshed ? 'refresh.chain' : 'refresh.token-response';
      throw new Blocked('refresh', owner, `status ${answer.response?.status}, or not both tokens`);
    }
    return { accessToken, refreshToken, refreshed: true };
  }

  /**
   * Lets the tokens issued so far expire where the target refuses to refresh earlier, which the document allows.
   * Blocks where that would need a clock and there is none.
   */
  async refreshable(): Promise<void> {
    const { dialect, session } = this.#conversation;
    if (dialect.refreshBeforeExpiry) return;
    if (session.target.clock === undefined) {
      throw new Blocked(
        'refresh',
        'refresh.token-response',
        'refused before expiry, and there is no clock to move',
      );
    }
    await session.target.clock.advance(EXPIRY + session.target.skewSeconds);
    this.#pair = undefined;
  }

  /** An access token that works, with all three scopes; the same one throughout a check. */
  async accessToken(): Promise<string> {
    this.#pair ??= await this.pair();
    await obtainSiblings(this.#conversation, this.#pair.accessToken);
    return this.#pair.accessToken;
  }

  /** Forgets the token that {@link accessToken} gave: time has passed. */
  forgetToken(): void {
    this.#pair = undefined;
  }

  /** The ids that a project lists (clause 4.4). */
  async listed(project: string = this.#conversation.session.target.projects[0]): Promise<readonly string[]> {
    const c = this.#conversation;
    const token = await this.accessToken();
    const { response, exchange } = await c.resource('list', { operation: 'list', project, token });
    throttled(response?.status, exchange.failure?.message);
    const listed = isSuccess(response) ? c.listed(response) : undefined;
    if (listed !== undefined) return listed;
    const owner = isSuccess(response) ? 'list.returns-assigned' : ownerOfRefusal('list', response?.status);
    throw new Blocked(
      'list the assigned users',
      owner,
      `status ${response?.status}, or no list that can be read`,
    );
  }

  /**
   * What a list was that did not show a change: `stale` if it shows it when asked again or, on a target with a clock, some
   * minutes later; else `true`, for nothing was changed. `unknown` without a clock.
   */
  async staleness(
    shows: (listed: readonly string[]) => boolean,
    project?: string,
  ): Promise<'stale' | 'true' | 'unknown'> {
    if (shows(await this.listed(project))) return 'stale';
    const { clock } = this.#conversation.session.target;
    if (clock === undefined) return 'unknown';
    await clock.advance(STALE);
    return shows(await this.listed(project)) ? 'stale' : 'true';
  }

  /** Sees to it that a user is not assigned to a project, whatever went before (clause 4.4). */
  async unassigned(user: string, project: string): Promise<void> {
    if (!(await this.listed(project)).includes(user)) return;
    const token = await this.accessToken();
    await this.#conversation.resource('unassign', { operation: 'unassign', project, user, token });
    if (!(await this.listed(project)).includes(user)) return;
    throw new Blocked('see a user unassigned', 'unassign.removes-user', 'the user is still listed');
  }

  /** Assigns users, in this order, to a project and sees them listed (clause 4.4). */
  async assigned(users: readonly string[], project: string = this.#conversation.session.target.projects[0]) {
    const c = this.#conversation;
    const token = await this.accessToken();
    for (const user of users) {
      const { response, exchange } = await c.resource('assign', {
        operation: 'assign',
        project,
        user,
        token,
      });
      throttled(response?.status, exchange.failure?.message);
      if (!isSuccess(response))
        throw new Blocked(
          'assign a user',
          ownerOfRefusal('assign', response?.status),
          `status ${response?.status}`,
        );
    }
    const listed = await this.listed(project);
    const owner = ownerOfAbsence(listed, [], users);
    if (owner === undefined) return;
    const stale = (await this.staleness((l) => users.every((u) => l.includes(u)), project)) === 'stale';
    throw new Blocked('see users assigned', stale ? 'list.fresh' : owner, 'not all of them are listed');
  }

  /** The target shows the consent page at the next authorization, whatever was granted before. */
  async freshConsent(): Promise<void> {
    await this.#conversation.session.target.forgetConsent?.();
  }
}

/** Who answers for a request that yields no code: whoever owns the scopes, unless all three were asked for. */
function ownerOfCode(scope: string): RequirementId {
  if (scope === ALL_SCOPES) return 'authorize.redirects-with-code';
  return scope.includes(' ') ? 'authorize.scope-combined' : 'authorize.scope-each';
}

function throttled(status: number | undefined, failure: string | undefined): void {
  if (status === undefined) throw new NotRun(failure ?? 'no answer');
  if (status === 429 || status === 503) throw new NotRun(`the target answered ${status}`);
}

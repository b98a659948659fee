import { type Exchange, isSuccess, TransportFailure } from '../../http/exchange.ts';
import { exchangedPair, freshAccessToken, grantedCode, refreshedPair } from '../../target/flow/actor.ts';
import type { Attempt, ReceivedPair, ResourceAnswer } from '../../target/flow/answers.ts';
import { cleanUpAfter } from '../../target/flow/clean-up.ts';
import { Conversation } from '../../target/flow/conversation.ts';
import type { Session } from '../../target/flow/session.ts';
import { listedAmong } from '../../target/flow/settings/own-users.ts';
import { ALL_SCOPES } from '../../target/target.ts';

/** Seconds after which an access token has expired, without clock skew (clause 8). */
const EXPIRED = 7201;

/** A provider state could not be set up, so nothing of its interaction was sent. The interaction has this result. */
export class StateFailed extends Error {
  readonly result: 'failed' | 'not-run';
  /** True if the target gave no answer; false for what the configuration lacks, which is no outage. */
  readonly silent: boolean;

  constructor(result: StateFailed['result'], message: string, silent = result === 'not-run') {
    super(message);
    this.name = 'StateFailed';
    this.result = result;
    this.silent = silent;
  }
}

/** Returns why an exchange proves nothing: no complete answer, or an unavailable or busy service. */
export function provesNothing({ response, failure }: Exchange): string | undefined {
  if (response === undefined) return failure?.message ?? 'no answer';
  const { status } = response;
  return status === 429 || status === 503 ? `the target answered ${status}` : undefined;
}

/**
 * Sets up provider states through the target's session: codes by real grants, assignments of the suite's own users
 * only. All methods throw {@link StateFailed} when the target refuses.
 */
export class TargetActions {
  readonly session: Session;
  #conversation: Conversation;
  /** Access token for the suite's own requests, so that pacts get unused ones; may lack a refresh token. */
  #own: string | undefined;

  constructor(session: Session) {
    this.session = session;
    this.#conversation = new Conversation(session, session.newRecorder());
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  async code(scope: string = ALL_SCOPES): Promise<string> {
    const code = await grantedCode(this.#conversation, { scope });
    if (code.ok) return code.value;
    throw new StateFailed(
      code.status === 'no-answer' ? 'not-run' : 'failed',
      `no code was granted (clause 4.1): ${code.message}`,
    );
  }

  async exchanged(code: string): Promise<ReceivedPair> {
    return issued(await exchangedPair(this.#conversation, code), 'exchange', '4.2');
  }

  async pair(scope: string = ALL_SCOPES): Promise<ReceivedPair> {
    return this.exchanged(await this.code(scope));
  }

  async refreshed(pair: ReceivedPair): Promise<ReceivedPair> {
    await this.refreshable();
    return issued(await refreshedPair(this.#conversation, pair.refreshToken), 'refresh', '4.3');
  }

  /** Lets tokens expire if the target refuses an earlier refresh, which the document leaves open. */
  async refreshable(): Promise<void> {
    if (!this.session.requestStyle.refreshBeforeExpiry)
      await this.expire('it refuses to refresh before expiry');
  }

  async expire(why: string): Promise<void> {
    const { clock, skewSeconds } = this.session.target;
    if (clock === undefined) {
      throw new StateFailed(
        'not-run',
        `the target has no clock that can be moved, and ${why}: configure \`clock\``,
        false,
      );
    }
    try {
      await clock.advance(EXPIRED + skewSeconds);
    } catch (error) {
      if (error instanceof TransportFailure) throw new StateFailed('not-run', error.message);
      throw error;
    }
    this.#own = undefined;
  }

  async assigned(wanted: boolean): Promise<void> {
    const now = await this.#isAssigned();
    if (now) this.#refuseForeign();
    if (now === wanted) return;
    await this.#send(wanted ? 'assign' : 'unassign');
    if ((await this.#isAssigned()) === wanted) return;
    throw new StateFailed(
      'failed',
      `the list ${wanted ? 'does not hold the user who was assigned' : 'still holds the user who was unassigned'} (clause 4.4)`,
    );
  }

  /**
   * Unassigns the users that the run has assigned.
   */
  async cleanUp(): Promise<void> {
    const token = () => this.#accessToken();
    if ((await cleanUpAfter(this.#conversation, token)) === undefined) return;
    // The pact may have revoked the token: retry with a fresh one.
    this.#own = undefined;
    await cleanUpAfter(this.#conversation, token);
  }

  next(): void {
    this.#conversation = new Conversation(this.session, this.session.newRecorder());
  }

  #refuseForeign(): void {
    const { target, assignedByRun } = this.session;
    const [project, user] = [target.projects[0], target.users[0]];
    if (!target.shared || assignedByRun.has(project, user)) return;
    throw new StateFailed(
      'not-run',
      `user ${user} is assigned to project ${project}, and not by this run; correct \`users\`: these must be users that only the suite uses`,
      false,
    );
  }

  async #accessToken(): Promise<string> {
    this.#own ??= issued(await freshAccessToken(this.#conversation), 'exchange', '4.2');
    return this.#own;
  }

  async #isAssigned(): Promise<boolean> {
    const { response } = await this.#send('list');
    const { users } = this.session.target;
    return response !== undefined && listedAmong([users[0]], this.#conversation, response).length > 0;
  }

  async #send(operation: 'assign' | 'unassign' | 'list'): Promise<ResourceAnswer> {
    let answer = await this.#call(operation);
    if (answer.response?.status === 401 || answer.response?.status === 403) {
      this.#own = undefined;
      answer = await this.#call(operation);
    }
    const why = provesNothing(answer.exchange);
    if (why !== undefined) throw new StateFailed('not-run', `${operation}: ${why}`);
    if (isSuccess(answer.response)) return answer;
    throw new StateFailed('failed', `${operation} answered ${answer.response?.status} (clause 4.4)`);
  }

  async #call(operation: 'assign' | 'unassign' | 'list'): Promise<ResourceAnswer> {
    const { projects, users } = this.session.target;
    const token = await this.#accessToken();
    const user = operation === 'list' ? {} : { user: users[0] };
    return this.#conversation.resource(operation, { operation, project: projects[0], token, ...user });
  }
}

function issued<T>(tokens: Attempt<T>, what: 'exchange' | 'refresh', clause: string): T {
  if (tokens.ok) return tokens.value;
  if (tokens.status === 'no-answer') throw new StateFailed('not-run', `${what}: ${tokens.message}`);
  throw new StateFailed('failed', `the ${what} answered ${tokens.message} (clause ${clause})`);
}

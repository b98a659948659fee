import createFetchClient, { type Middleware } from 'openapi-fetch';
import type { paths } from '../generated/openapi.d.ts';
import {
  OperationRefused,
  ServiceFailed,
  TooManyRequests,
  Unauthorized,
  UnexpectedAnswer,
} from './errors.ts';
import type { AssignedUser, Settings } from './options.ts';
import { type Answer, errorOf, retryAfterSeconds, send, shapeOf } from './send.ts';
import type { TokenPair } from './store/token-store.ts';
import type { TokenKeeper } from './token-keeper.ts';

export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. A running refresh still completes. */
  readonly signal?: AbortSignal;
}

type ResourceOperation = 'list' | 'assign' | 'unassign';
type Init = Parameters<Parameters<typeof send>[1]>[0] & { readonly middleware: Middleware[] };
type Call = (init: Init) => ReturnType<Parameters<typeof send>[1]>;

const PATH = '/v2/projects/{id}/assigned_users';
const USER_PATH = `${PATH}/{user_id}` as const;

/** The three operations of clause 4.4. */
export class AssignedUsers {
  readonly #settings: Settings;
  readonly #keeper: TokenKeeper;
  readonly #api: ReturnType<typeof createFetchClient<paths>>;
  /** The access token of a refresh that was refused with 401: another refresh would not help. */
  #hopeless: string | undefined;

  constructor(settings: Settings, keeper: TokenKeeper) {
    this.#settings = settings;
    this.#keeper = keeper;
    this.#api = createFetchClient<paths>({ baseUrl: settings.baseUrl, fetch: settings.fetch });
  }

  async list(projectId: string, options: CallOptions): Promise<readonly AssignedUser[]> {
    const path = { id: pathId('projectId', projectId) };
    const headers = { Accept: 'application/json' };
    const answer = await this.#call('list', options, (init) =>
      this.#api.GET(PATH, { ...init, headers, params: { path } }),
    );
    const users = answer.body.kind === 'json' ? this.#settings.readList(answer.body.value) : undefined;
    if (users === undefined) {
      throw new UnexpectedAnswer('list', 'JSON that holds a list of users', shapeOf(answer), answer.status);
    }
    return users;
  }

  async assign(projectId: string, userId: string, options: CallOptions): Promise<void> {
    const path = { id: pathId('projectId', projectId), user_id: pathId('userId', userId) };
    await this.#call('assign', options, (init) => this.#api.PUT(USER_PATH, { ...init, params: { path } }));
  }

  async unassign(projectId: string, userId: string, options: CallOptions): Promise<void> {
    const path = { id: pathId('projectId', projectId), user_id: pathId('userId', userId) };
    await this.#call('unassign', options, (init) =>
      this.#api.DELETE(USER_PATH, { ...init, params: { path } }),
    );
  }

  /** Calls with a token that has not expired. After a 401, refreshes once, unless the call already did, and tries again. */
  async #call(operation: ResourceOperation, { signal }: CallOptions, call: Call): Promise<Answer> {
    const stored = await whileWanted(this.#keeper.current(), signal);
    const expired = this.#keeper.isExpired(stored);
    const pair = expired ? await whileWanted(this.#keeper.successorOf(stored), signal) : stored;
    const answer = await this.#send(operation, pair, signal, call);
    if (answer.status !== 401) return this.#honoured(operation, answer);
    if (expired || pair.accessToken === this.#hopeless) return this.#giveUp(operation, pair);

    const next = await whileWanted(this.#keeper.successorOf(pair), signal);
    const second = await this.#send(operation, next, signal, call);
    return second.status === 401 ? this.#giveUp(operation, next) : this.#honoured(operation, second);
  }

  #giveUp(operation: ResourceOperation, { accessToken }: TokenPair): never {
    this.#hopeless = accessToken;
    throw new Unauthorized(operation);
  }

  #send(
    operation: ResourceOperation,
    pair: TokenPair,
    signal: AbortSignal | undefined,
    call: Call,
  ): Promise<Answer> {
    const { deadlineMs, presentToken } = this.#settings;
    const present: Middleware = { onRequest: ({ request }) => presentToken(request, pair.accessToken) };
    return send({ operation, deadlineMs, signal }, (init) => call({ ...init, middleware: [present] }));
  }

  /** Returns a success: any 2xx (the clause shows no status) unless the body has `error`. */
  #honoured(operation: ResourceOperation, answer: Answer): Answer {
    const { status, headers } = answer;
    if (status >= 200 && status < 300 && errorOf(answer.body) === undefined) return answer;
    const seconds = retryAfterSeconds(headers, this.#settings.now());
    if (status === 429) throw new TooManyRequests(operation, seconds);
    if (status >= 500) throw new ServiceFailed(operation, status, seconds);
    if (status >= 400) throw new OperationRefused(operation, status);
    const actual = status < 300 ? `${shapeOf(answer)} that says error` : shapeOf(answer);
    throw new UnexpectedAnswer(operation, 'a success', actual, status);
  }
}

/**
 * Returns an id that stays one path segment. Throws for an empty id or dots: percent-encoding does not protect them, so the
 * request would reach another resource.
 */
function pathId(name: string, id: string): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new TypeError(
      `${name}: expected a text that can be a segment of a path (clause 4.4): not empty, not "." or ".."`,
    );
  }
  return id;
}

/** Stops waiting on abort. The work itself goes on, because a refresh must be completed. */
async function whileWanted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const called = new AbortController();
  const unwanted = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: called.signal });
  });
  return await Promise.race([work, unwanted]).finally(() => called.abort());
}

import nock from 'nock';
import type { Reply } from './replies.ts';

export const AUTH_URL = 'https://auth.legacy.test';
export const BASE_URL = 'https://api.legacy.test';

export interface Arrived {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Arguments of nock for a request that matches nothing: one object or two, the options last. */
interface Unmatched {
  readonly method?: string;
  readonly hostname?: string;
  readonly path?: string;
}

type Operation = 'token' | 'list' | 'assign' | 'unassign';
type Answering = Reply | ((request: Arrived) => Reply | Promise<Reply>);

const METHODS: Readonly<Record<Operation, string>> = {
  token: 'POST',
  list: 'GET',
  assign: 'PUT',
  unassign: 'DELETE',
};

/**
 * The service as nock scripts it: one answer for one request, in order; any other request is refused and recorded.
 * nock is pinned to 14: 15 answers such a request with 501, which a client may take for a refusal.
 */
export class ScriptedService {
  readonly requests: Arrived[] = [];
  readonly #unexpected: string[] = [];
  readonly #onNoMatch = (first: Unmatched, second?: Unmatched): void => {
    const { method = '', hostname = '', path = '' } = second ?? first;
    if (hostname !== '127.0.0.1') this.#unexpected.push(`${method} ${hostname}${path.split('?')[0]}`);
  };

  constructor() {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
    nock.enableNetConnect((host) => host === '127.0.0.1' || host.startsWith('127.0.0.1:'));
    nock.emitter.on('no match', this.#onNoMatch);
  }

  token(...answers: readonly Answering[]): void {
    this.#script('token', answers);
  }

  /** Answers to `GET /v2/…`. */
  list(...answers: readonly Answering[]): void {
    this.#script('list', answers);
  }

  /** Answers to `PUT /v2/…`. */
  assign(...answers: readonly Answering[]): void {
    this.#script('assign', answers);
  }

  /** Answers to `DELETE /v2/…`. */
  unassign(...answers: readonly Answering[]): void {
    this.#script('unassign', answers);
  }

  /** The same answer to every request for an operation, of which there must be one at least. */
  always(operation: Operation, answer: Answering): void {
    this.#intercept(operation, answer, true);
  }

  get tokenForms(): readonly URLSearchParams[] {
    return this.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => new URLSearchParams(body));
  }

  get operations(): readonly Arrived[] {
    return this.requests.filter(({ method }) => method !== 'POST');
  }

  /** Takes the script back. Returns unexpected requests and answers that were not fetched. */
  close(): readonly string[] {
    const unused = nock.isDone() ? [] : nock.pendingMocks();
    nock.emitter.off('no match', this.#onNoMatch);
    nock.abortPendingRequests();
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
    return [
      ...this.#unexpected.map((request) => `the client sent a request that nobody expected: ${request}`),
      ...unused.map((mock) => `the client never fetched an answer: ${mock}`),
    ];
  }

  #script(operation: Operation, answers: readonly Answering[]): void {
    for (const answer of answers) this.#intercept(operation, answer, false);
  }

  #intercept(operation: Operation, answer: Answering, persist: boolean): void {
    const service = this;
    const scope = nock(operation === 'token' ? AUTH_URL : BASE_URL).persist(persist);
    const path = operation === 'token' ? '/oauth/token' : (uri: string) => uri.startsWith('/v2/');
    scope.intercept(path, METHODS[operation]).reply(async function (uri, body) {
      const arrived = {
        method: METHODS[operation],
        path: uri,
        headers: Object.fromEntries(
          Object.entries(this.req.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: typeof body === 'string' ? body : JSON.stringify(body),
      };
      service.requests.push(arrived);
      const { status, headers, body: text } = typeof answer === 'function' ? await answer(arrived) : answer;
      return [status, text, headers];
    });
  }
}

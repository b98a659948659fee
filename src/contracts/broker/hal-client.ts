import { setTimeout as pause } from 'node:timers/promises';
import { jsonObjectIn } from '../../document/input/plain-data.ts';
import {
  type Header,
  headerOf,
  type Transport,
  TransportFailure,
  type WireResponse,
} from '../../http/exchange.ts';
import { nodeTransport } from '../../http/node-transport.ts';
import { retryAfterMs } from '../../http/paced-transport.ts';
import { throughProxy } from '../../http/proxy.ts';
import { countText } from '../../report/count-text.ts';
import { type BrokerAccess, connectionToBroker } from './access.ts';
import { BrokerFailed, embeddedIn, linkIn, type Resource, textsIn } from './hal-resource.ts';

interface HalChange {
  readonly method: 'POST' | 'PUT';
  readonly body?: unknown;
  /** Idempotent: the request is repeated when no answer came. */
  readonly repeatable: boolean;
  /**
   * Returns true if the answer proves success; undefined stands for 204. A gateway in front of a broker may answer 200
   * to everything.
   */
  readonly done: (answer: Resource | undefined) => boolean;
}

const TRIES = 3;

const DEADLINE_MS = 15_000;

/** Milliseconds before the first retry; doubled for each further one. */
const FIRST_PAUSE_MS = 500;

/** Longest accepted `Retry-After` in milliseconds. If a broker asks for more, it is reported as failing. */
const LONGEST_RETRY_AFTER_MS = 30_000;

const MOST_REDIRECTS = 5;
const MOST_BYTES = 50_000_000;

/**
 * A Pact Broker, by the links that it gives. A broker behind a proxy may give unreachable addresses, so only the path of a link
 * counts, as in Pact's own programs. No request, and no credential, ever goes to another origin than the configured one.
 * Every function throws {@link BrokerFailed} if no resource came.
 */
export class Broker {
  readonly access: BrokerAccess;
  readonly #transport: Transport;
  readonly #deadlineMs: number;
  /** Its address and the proxy before it. */
  readonly #at: string;
  #index: Promise<Resource> | undefined;

  /** @param deadlineMs milliseconds for one request @throws UsageError for an unusable proxy or certificate in the environment */
  constructor(access: BrokerAccess, deadlineMs: number = DEADLINE_MS) {
    this.access = access;
    this.#deadlineMs = deadlineMs;
    const limits = { deadlineMs, maxBodyBytes: MOST_BYTES };
    const options = connectionToBroker(access.baseUrl, process.env);
    this.#at = `${access.baseUrl}${throughProxy(access.baseUrl, options)}`;
    this.#transport = nodeTransport(options, limits).transport;
  }

  get url(): string {
    return this.access.baseUrl;
  }

  async link(relation: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    this.#index ??= this.get('/');
    return this.linkOf(await this.#index, relation, variables);
  }

  linkOf(resource: Resource, relation: string, variables: Readonly<Record<string, string>> = {}): string {
    const href = linkIn(resource, relation);
    if (href === undefined)
      throw new BrokerFailed(
        `the broker at ${this.#at} has no link ${relation}: it is too old for this (Pact Broker 2.80 or newer is needed), or it is none`,
      );
    return href.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(variables[name] ?? ''));
  }

  embedded(resource: Resource, name: string): readonly Resource[] {
    return this.expected(embeddedIn(resource, name));
  }

  expected<T>(part: T | undefined): T {
    return part ?? this.#noBroker();
  }

  async get(address: string): Promise<Resource> {
    return (await this.find(address)) ?? this.#missing();
  }

  /** Returns the resource at an address; undefined for a 404. @param query body of a question that is asked by POST */
  async find(address: string, query?: unknown): Promise<Resource | undefined> {
    const method = query === undefined ? 'GET' : 'POST';
    const { response, tries } = await this.#answer(method, address, query, true);
    return this.#isMissing(response) ? undefined : this.#resource(response, method, tries);
  }

  async send(address: string, { method, body, repeatable, done }: HalChange): Promise<Resource> {
    const { response, tries } = await this.#answer(method, address, body, repeatable);
    if (this.#isMissing(response)) this.#missing();
    const resource = response.status === 204 ? undefined : this.#resource(response, method, tries);
    if (!done(resource)) this.#noBroker();
    return resource ?? {};
  }

  /**
   * Requires that the credentials may write, with a request that the broker refuses in any case.
   *
   * @param address takes a POST, and refuses an empty object
   */
  async requireWriting(address: string): Promise<void> {
    const { response, tries } = await this.#answer('POST', address, {}, true);
    if (response.status === 401 || response.status === 403 || response.status >= 500)
      this.#resource(response, 'POST', tries);
  }

  /** Only a 404 with JSON comes from the broker itself; a proxy's 404 proves nothing. */
  #isMissing(response: WireResponse): boolean {
    const type = headerOf(response, 'content-type') ?? '';
    return response.status === 404 && type.includes('json') && jsonObjectIn(response.body) !== undefined;
  }

  #resource(response: WireResponse, method: string, tries: number): Resource {
    const { status } = response;
    const value = jsonObjectIn(response.body);
    if (status >= 200 && status < 300 && value !== undefined) return value;
    if (status === 401 || status === 403) {
      const word = status === 401 ? '401 Unauthorized' : '403 Forbidden';
      const write = method === 'GET' ? '' : ', and that they may write';
      const check = 'check PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD';
      throw new BrokerFailed(`the broker at ${this.#at}: ${word}: ${check}${write}`);
    }
    if (status === 429 || status >= 500)
      this.#unanswered(`answered ${status} (${countText(tries, 'try', 'tries')}): try again later`);
    if (status < 400 || status === 404) this.#noBroker();
    const { sentences, details } = textsIn(value);
    const refuses = `the broker at ${this.#at} refuses the request (${status})`;
    if (sentences.length === 0)
      throw new BrokerFailed(
        `${refuses} without a reason: check the credentials; a broker of one's own takes a user and a password and no tokens`,
      );
    const kind = status === 409 ? 'refused' : 'other';
    throw new BrokerFailed(`${refuses}: ${sentences.join('; ')}`, kind, details);
  }

  async #answer(method: string, address: string, body: unknown, repeatable: boolean) {
    const most = repeatable ? TRIES : 1;
    for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries += 1, pauseMs *= 2) {
      const response = await this.#sendOnce(method, address, body).catch((error: unknown) => {
        if (!(error instanceof TransportFailure)) throw error;
        if (error.kind === 'timeout')
          this.#unanswered(`gave no answer within ${this.#deadlineMs / 1_000} s: check that it runs`);
        if (tries === most)
          this.#unanswered(
            `cannot be reached (${countText(tries, 'try', 'tries')}: ${error.message}): check that it runs`,
          );
        return undefined;
      });
      const busy = response === undefined || response.status === 429 || response.status >= 500;
      const wishMs = response === undefined ? 0 : (retryAfterMs(response) ?? 0);
      if (response !== undefined && (!busy || tries === most || wishMs > LONGEST_RETRY_AFTER_MS))
        return { response, tries };
      await pause(Math.max(pauseMs, wishMs));
    }
  }

  async #sendOnce(method: string, address: string, body: unknown): Promise<WireResponse> {
    let url = this.#rebased(address);
    for (let left = MOST_REDIRECTS; ; left -= 1) {
      const response = await this.#transport({
        method,
        url,
        headers: this.#headers(body),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const to = redirectOf(response, url);
      if (to === undefined) return response;
      const kept = method === 'GET' || response.status === 307 || response.status === 308;
      if (to.origin !== new URL(url).origin || !kept || left === 0)
        // The query of a login page's address may hold tokens.
        throw new BrokerFailed(
          `${this.#at} redirects to ${to.origin}${to.pathname} (${response.status}): if that is the broker, set PACT_BROKER_BASE_URL to it; if it is a login page or a proxy, go around it. Credentials are sent to no other origin`,
        );
      url = to.href;
    }
  }

  #headers(body: unknown): readonly Header[] {
    const { authorization } = this.access;
    return [
      ['Accept', 'application/hal+json, application/json'],
      ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ];
  }

  #rebased(address: string): string {
    const { pathname, search } = new URL(address, this.url);
    const prefix = new URL(this.url).pathname.replace(/\/$/, '');
    const below = pathname.startsWith(`${prefix}/`) ? pathname : `${prefix}${pathname}`;
    return new URL(`${below}${search}`, this.url).href;
  }

  #unanswered(what: string): never {
    throw new BrokerFailed(`the broker at ${this.#at} ${what}`, 'unanswered');
  }

  #missing(): never {
    throw new BrokerFailed(
      `the broker at ${this.#at} has no such resource (404): check the address, and the names`,
    );
  }

  #noBroker(): never {
    throw new BrokerFailed(
      `the server at ${this.#at} is no Pact Broker: check the address, and that no proxy or login page stands before it`,
    );
  }
}

function redirectOf(response: WireResponse, from: string): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  const location = headerOf(response, 'location');
  return location === undefined ? undefined : (URL.parse(location, from) ?? undefined);
}

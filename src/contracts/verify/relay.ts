import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange, Header, WireRequest, WireResponse } from '../../exchange/exchange.ts';
import type { Conversation } from '../../flow/conversation.ts';
import { present } from '../../flow/requests.ts';
import type { Address } from '../providers.ts';
import type { ReadyStates } from '../states.ts';
import { forbidden } from './refuse-pacts.ts';

export interface RelayedInteraction {
  readonly address: Address;
  readonly ready: ReadyStates;
  readonly conversation: Conversation;
}

export interface Relayed {
  readonly exchanges: readonly Exchange[];
  readonly withheld: readonly string[];
}

/**
 * A relay on loopback between verifier and target. It uses the target's transport, so that pacing, budgets,
 * certificates, proxies and redaction apply. Its address is unguessable, because it serves secrets.
 */
export interface Relay {
  readonly providerUrl: string;
  readonly statesUrl: string;
  during<T>(interaction: RelayedInteraction, work: () => Promise<T>): Promise<{ value: T; relayed: Relayed }>;
  close(): Promise<void>;
}

/** Headers of a single connection, or headers that the transport sets. */
const OF_THE_CONNECTION = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export async function startRelay(): Promise<Relay> {
  let serving: Serving | undefined;
  const key = `/${randomBytes(24).toString('base64url')}`;
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    if (serving === undefined || !url.startsWith(`${key}/`)) {
      answer(response, 404, [], '');
      return;
    }
    serving.serve(url.slice(key.length), request, response);
  });
  const { port } = await listening(server);
  const base = `http://127.0.0.1:${port}${key}`;
  return {
    providerUrl: `${base}/provider`,
    statesUrl: `${base}/states`,
    async during(interaction, work) {
      const mine = new Serving(interaction);
      serving = mine;
      try {
        const value = await work();
        if (mine.failure !== undefined) throw mine.failure;
        return { value, relayed: mine };
      } finally {
        serving = undefined;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Serving implements Relayed {
  readonly exchanges: Exchange[] = [];
  readonly withheld: string[] = [];
  failure: Error | undefined;
  readonly #interaction: RelayedInteraction;
  #statesSet = 0;

  constructor(interaction: RelayedInteraction) {
    this.#interaction = interaction;
  }

  serve(path: string, request: IncomingMessage, response: ServerResponse): void {
    this.#serve(path, request, response).catch((error: unknown) => {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
      answer(response, 400, [], '');
    });
  }

  async #serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (path === '/states') return this.#state(JSON.parse(body), response);
    await this.#send(path.replace(/^\/provider(?=$|[/?])/, ''), request, body, response);
  }

  /** Answers the verifier's state changes, in the pact's order; the states are already set up. */
  #state(change: { action?: unknown; state?: unknown }, response: ServerResponse): void {
    const { states } = this.#interaction.ready;
    if (change.action !== 'setup' || change.state === '') {
      json(response, 200, {});
      return;
    }
    const state = states[this.#statesSet];
    if (state === undefined || state.name !== change.state) {
      // Not a 5xx: the verifier would retry for more than a minute.
      json(response, 400, { error: 'not a state of this interaction' });
      return;
    }
    this.#statesSet += 1;
    json(response, 200, state.values);
  }

  async #send(path: string, request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const { address, ready, conversation } = this.#interaction;
    const { target } = conversation.session;
    const method = request.method ?? 'GET';
    const why = forbidden(target, { address, method, path: path.split('?')[0] ?? path }, ready.invented);
    if (why !== undefined) {
      this.withheld.push(why);
      return answer(response, 400, [], '');
    }
    const wire = this.#presented({
      method,
      url: `${address === 'auth' ? target.authUrl : target.baseUrl}${path}`,
      headers: passedOn(pairs(request.rawHeaders)),
      ...(body === '' ? {} : { body }),
    });
    const purpose = 'as the pact has it';
    const exchange =
      address === 'auth'
        ? (await conversation.tokenWire(purpose, wire)).exchange
        : await conversation.recorder.send(purpose, wire);
    this.exchanges.push(exchange);
    // The verifier needs an answer; the exchange shows that the target gave none.
    if (exchange.response === undefined) return answer(response, 502, [], '');
    reply(response, exchange.response);
  }

  /** Presents the token in the target's way, if the pact leaves that to the target (clause 5.6). */
  #presented(wire: WireRequest): WireRequest {
    const { ready, conversation } = this.#interaction;
    for (const [name, value] of wire.headers) {
      const token = name.toLowerCase() === 'authorization' ? ready.presented.get(value) : undefined;
      if (token === undefined) continue;
      const headers = wire.headers.filter(([other]) => other !== name);
      return present({ ...wire, headers }, conversation.requestStyle, token);
    }
    return wire;
  }
}

function reply(response: ServerResponse, { status, headers, body }: WireResponse): void {
  answer(response, status, passedOn(headers), body);
}

function json(response: ServerResponse, status: number, value: unknown): void {
  answer(response, status, [['Content-Type', 'application/json']], JSON.stringify(value));
}

function answer(response: ServerResponse, status: number, headers: readonly Header[], body: string): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  response.end(body);
}

function passedOn(headers: readonly Header[]): readonly Header[] {
  return headers.filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()));
}

function pairs(raw: readonly string[]): readonly Header[] {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as const] : []));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function listening(server: Server): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
}

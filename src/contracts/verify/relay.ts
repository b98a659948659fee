import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { withoutMark } from '../../http/bodies.ts';
import { type Exchange, type Header, headerLines, type WireRequest } from '../../http/exchange.ts';
import { withToken } from '../../service/flow/requests.ts';
import type { ServiceClient } from '../../service/flow/service-client.ts';
import type { Address } from '../providers.ts';
import type { ReadyStates } from '../states.ts';
import { isOfTheConnection } from './native-pact.ts';
import { forbidden } from './refuse-pacts.ts';

interface RelayedInteraction {
  readonly method: string;
  readonly address: Address;
  readonly ready: ReadyStates;
  readonly serviceClient: ServiceClient;
}

/**
 * Starts a relay on loopback between verifier and target. It uses the target's transport, so that pacing, budgets,
 * certificates, proxies and redaction apply. Its address is unguessable, because it serves secrets.
 */
export async function startRelay() {
  let serving: Relayed | undefined;
  // Two keys, because the dots in a pact's path lead from one folder to the next.
  const [provider, states] = [unguessable(), unguessable()];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    if (serving !== undefined && (url === states || url.startsWith(provider))) {
      const path = url === states ? undefined : url.slice(provider.length);
      return serving.serve(path, request, response);
    }
    serving?.unsendable.push('its path has dots that lead out of the service');
    answer(response, 404, [], '');
  });
  const unread = (why: string, socket: Duplex) => {
    serving?.unsendable.push(why);
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  };
  server.on('connect', (_, socket) =>
    unread('CONNECT asks a proxy for a tunnel, and the target is no proxy', socket),
  );
  server.on('clientError', ({ code, message }: NodeJS.ErrnoException, socket) =>
    unread(UNREADABLE[code ?? ''] ?? message, socket),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  return {
    providerUrl: base + provider,
    statesUrl: base + states,
    async during<T>(
      interaction: RelayedInteraction,
      work: () => Promise<T>,
    ): Promise<{ value: T; relayed: Relayed }> {
      const mine = new Relayed(interaction);
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
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** The reasons why Node cannot read a request, by the code of its error. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'its method is none that HTTP servers read',
  HPE_HEADER_OVERFLOW: `address and headers are longer than ${maxHeaderSize} bytes together`,
};

function unguessable(): string {
  return `/${randomBytes(24).toString('base64url')}`;
}

/** The requests of one interaction, on their way to the target. */
export class Relayed {
  readonly exchanges: Exchange[] = [];
  /** Reasons why the target must not get the request. */
  readonly withheld: string[] = [];
  /** Reasons why the verifier's request cannot be sent on. */
  readonly unsendable: string[] = [];
  failure: Error | undefined;
  readonly #interaction: RelayedInteraction;
  #statesSet = 0;

  constructor(interaction: RelayedInteraction) {
    this.#interaction = interaction;
  }

  /** @param path of a request of the pact; undefined for a change of a state */
  async serve(path: string | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(request);
      if (path === undefined) this.#state(JSON.parse(body), response);
      else await this.#send(path, request, body, response);
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
      answer(response, 400, [], '');
    }
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
    const { method: wanted, address, ready, serviceClient } = this.#interaction;
    const { target } = serviceClient.session;
    const method = request.method ?? 'GET';
    const why = forbidden(target, { address, method, path: path.split('?')[0] ?? path }, ready.invented);
    if (why !== undefined) this.withheld.push(why);
    // Pact's verifier sends GET where a method is none.
    if (method !== wanted) this.unsendable.push(`${JSON.stringify(wanted)} is no method of HTTP`);
    if (why !== undefined || method !== wanted) return answer(response, 400, [], '');
    const wire = this.#presented({
      method,
      url: `${address === 'auth' ? target.authUrl : target.baseUrl}${path}`,
      headers: passedOn(headerLines(request.rawHeaders)),
      body: body || undefined,
    });
    const purpose = 'as the pact has it';
    const exchange =
      address === 'auth'
        ? await serviceClient.tokenWire(purpose, wire)
        : await serviceClient.recorder.send(purpose, wire);
    this.exchanges.push(exchange);
    // The verifier needs an answer; the exchange shows that the target gave none.
    if (exchange.response === undefined) return answer(response, 502, [], '');
    const { status, headers, body: received } = exchange.response;
    answer(response, status, passedOn(headers), withoutMark(received));
  }

  /** Presents the token in the target's way, if the pact leaves that to the target (clause 5.6). */
  #presented(wire: WireRequest): WireRequest {
    const { ready, serviceClient } = this.#interaction;
    for (const [name, value] of wire.headers) {
      const token = name.toLowerCase() === 'authorization' ? ready.presented.get(value) : undefined;
      if (token === undefined) continue;
      const headers = wire.headers.filter(([other]) => other !== name);
      return withToken({ ...wire, headers }, serviceClient.requestStyle.presentation, token);
    }
    return wire;
  }
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
  return headers.filter(([name]) => !isOfTheConnection(name));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

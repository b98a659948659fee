import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Reply } from './replies.ts';

/** The connection is reset before the answer; it never comes; it stops in the middle, the connection open or closed. */
export const FAULTS = ['reset', 'stall', 'stall-in-body', 'truncate'] as const;
export type Fault = (typeof FAULTS)[number];

/** Milliseconds that a client is given for a request that suffers a fault: few where the service stalls, because the test waits. */
export function deadlineFor(fault: Fault): number {
  return fault.startsWith('stall') ? 300 : 5_000;
}

/** An action of a {@link FaultServer} for one request: a fault, an answer, or a late answer. */
export type Treatment = Fault | Reply | ((request: ArrivedAtServer) => Promise<Reply>);

export interface ArrivedAtServer {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The service on a real loopback connection, for faults that nock cannot make. Both addresses are {@link url}. */
export class FaultServer {
  readonly requests: ArrivedAtServer[] = [];
  readonly #server: Server;
  readonly #treatments: Treatment[];
  #connections: readonly Socket[] = [];

  private constructor(treatments: readonly Treatment[]) {
    this.#treatments = [...treatments];
    this.#server = createServer((request, response) => {
      this.#treat(request, response).catch(() => response.destroy());
    });
    this.#server.on('connection', (socket) => {
      this.#connections = [...this.#connections, socket];
    });
  }

  /** Starts it. One treatment a request, in order; the last one is for all that follow. */
  static async start(...treatments: readonly Treatment[]): Promise<FaultServer> {
    const faults = new FaultServer(treatments);
    faults.#server.listen(0, '127.0.0.1');
    await once(faults.#server, 'listening');
    return faults;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get tokenForms(): readonly URLSearchParams[] {
    return this.requests
      .filter(({ path }) => path === '/oauth/token')
      .map(({ body }) => new URLSearchParams(body));
  }

  willTreat(...treatments: readonly Treatment[]): void {
    this.#treatments.splice(0, this.#treatments.length, ...treatments);
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #treat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const arrived = { method: request.method ?? '', path: request.url ?? '', body };
    this.requests.push(arrived);
    const treatment = this.#treatments.length > 1 ? this.#treatments.shift() : this.#treatments[0];
    if (treatment === undefined) throw new Error('no treatment was given');
    if (typeof treatment === 'string') return suffer(treatment, response);
    const reply = typeof treatment === 'function' ? await treatment(arrived) : treatment;
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }
}

function suffer(fault: Fault, response: ServerResponse): void {
  if (fault === 'stall') return;
  if (fault === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '400' });
  response.write('{"access_token":"access-token-1-9f3b","token_ty', () => {
    if (fault === 'truncate') response.socket?.end();
  });
}

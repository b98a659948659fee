import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificates } from '../../http/certificates.ts';
import { BODILESS, type ServiceAnswer } from '../answer.ts';
import { type HandledRequest, type ReceivedRequest, type RequestHandler, targetOf } from '../request.ts';
import { writeWire } from '../simulation/wire-faults.ts';

export interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Drops slow connections: 10 s for the headers, 30 s for the whole request. Idle ones are kept for longer than a client pauses,
 * because a request over one that has just closed is lost.
 */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
};

/** An address to connect to, for each that only a server can use. */
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Listens on a port (0: any free one), by HTTPS with a certificate. */
export async function listen(
  handler: RequestHandler,
  {
    host,
    port,
    tls,
  }: { readonly host: string; readonly port: number; readonly tls?: Certificates | undefined },
  connectionOf: (incoming: IncomingMessage) => number = () => 0,
): Promise<Listening> {
  const server = await serverOf(tls, socketAdapter(handler, connectionOf));
  await once(server.listen(port, host), 'listening');
  const { port: bound } = server.address() as AddressInfo;
  const at = ANY[host] ?? host;
  const authority = `${at.includes(':') ? `[${at}]` : at}:${bound}`;
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${authority}`,
    close: () => closeServer(server),
  };
}

/** Loads HTTPS only on demand, to start faster. */
async function serverOf(tls: Certificates | undefined, serve: RequestListener): Promise<Server> {
  if (tls === undefined) return createServer(LIMITS, serve);
  const https = await import('node:https');
  return https.createServer({ ...LIMITS, cert: tls.certificate, key: tls.key }, serve);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export function connectionCounter(): (incoming: IncomingMessage) => number {
  const known = new WeakMap<Socket, number>();
  let count = 0;
  return ({ socket }) => {
    const number = known.get(socket);
    if (number !== undefined) return number;
    count += 1;
    known.set(socket, count);
    return count;
  };
}

function socketAdapter(
  handler: RequestHandler,
  connectionOf: (incoming: IncomingMessage) => number,
): RequestListener {
  return async (incoming, outgoing) => {
    const { method = '', headers } = incoming;
    const bodiless =
      method === 'GET' ||
      method === 'HEAD' ||
      (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined);
    const body = bodiless ? '' : await readBody(incoming, handler.bodyLimit);
    if (body === BROKEN) return;
    deliver(
      await handler.handle(new SocketRequest(incoming, outgoing, body, connectionOf(incoming))),
      outgoing,
    );
  };
}

class SocketRequest implements ReceivedRequest {
  readonly body: string | undefined;
  readonly connection: number;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    body: string | undefined,
    connection: number,
  ) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.body = body;
    this.connection = connection;
  }

  get method(): string {
    return this.#incoming.method ?? '';
  }

  get target(): string {
    const { url = '' } = this.#incoming;
    return url.startsWith('/') ? url : targetOf(url);
  }

  get rawHeaders(): readonly string[] {
    return this.#incoming.rawHeaders;
  }

  header(name: string): string {
    const value = this.#incoming.headers[name];
    return typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }

  isGone(): boolean {
    return this.#outgoing.destroyed;
  }

  gone(): AbortSignal {
    const closed = new AbortController();
    if (this.isGone()) closed.abort();
    else this.#outgoing.once('close', () => closed.abort());
    return closed.signal;
  }
}

/** The client closed the connection before its request was complete. */
const BROKEN = Symbol('broken');

/** Reads a body as text; undefined as soon as it exceeds `limit` bytes. */
function readBody(incoming: IncomingMessage, limit: number): Promise<string | undefined | typeof BROKEN> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        incoming.off('data', onData).resume();
        resolve(undefined);
      }
    };
    const onEnd = () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8'));
    const onClose = () => {
      if (!incoming.readableEnded) resolve(BROKEN);
    };
    // The listeners stay: removing four costs as much as parsing the form, and a promise settles only once.
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function deliver({ by, answer, form }: HandledRequest, outgoing: ServerResponse): void {
  if (by === 'reset') outgoing.socket?.resetAndDestroy();
  else if (by === 'drop' || answer === undefined) outgoing.socket?.destroy();
  else if (form !== undefined && outgoing.socket !== null) void writeWire(outgoing.socket, answer, form);
  else {
    writeHead(answer, outgoing);
    if (by === 'answer') outgoing.end(BODILESS.has(answer.status) ? '' : answer.body);
    else outgoing.write(answer.body.slice(0, answer.body.length / 2), () => outgoing.socket?.destroy());
  }
}

function writeHead({ status, headers, body }: ServiceAnswer, outgoing: ServerResponse): void {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  if (!BODILESS.has(status)) lines.push('Content-Length', String(Buffer.byteLength(body)));
  outgoing.writeHead(status, lines);
}

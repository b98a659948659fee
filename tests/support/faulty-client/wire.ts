import { Agent, type RequestOptions, request } from 'node:http';
import https from 'node:https';

export interface Wire {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** True to trust every certificate. */
  readonly trustsAll?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export class Lost extends Error {
  override readonly name = 'Lost';
  readonly timedOut: boolean;

  constructor(message: string, timedOut: boolean) {
    super(message);
    this.timedOut = timedOut;
  }
}

/** A failure that the user sees: the page's status, if it is not 200, and a reason. */
export class Failed extends Error {
  override readonly name = 'Failed';
  /** Status of the service's answer that led there. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}

/** A page with status 200 that reports the failure in words. */
export class CalledGood extends Error {}

/** Sends a request with Node's own client, which keeps order and case of headers. */
export function send(wire: Wire, deadlineMs: number, keepAlive: boolean, gone: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const agent = keepAlive ? shared : new Agent({ keepAlive: false });
    const options: RequestOptions = { method: wire.method, signal: gone };
    const begin = wire.url.startsWith('https:')
      ? https.request.bind(https, wire.url, { ...options, rejectUnauthorized: wire.trustsAll !== true })
      : request.bind(undefined, wire.url, { ...options, agent });
    const outgoing = begin((incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', (error) => reject(new Lost(error.message, false)));
      incoming.on('end', () => {
        clearTimeout(timer);
        if (!incoming.complete) return reject(new Lost('cut off', false));
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers as Answer['headers'],
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    const timer = setTimeout(() => {
      outgoing.destroy();
      reject(new Lost('timed out', true));
    }, deadlineMs);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(new Lost(error.message, false));
    });
    for (const [name, value] of wire.headers) outgoing.setHeader(name, value);
    if (wire.body !== undefined) outgoing.setHeader('Content-Length', Buffer.byteLength(wire.body));
    outgoing.end(wire.body);
  });
}

const shared = new Agent({ keepAlive: true, maxSockets: 20 });

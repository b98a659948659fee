import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as it arrived. */
export interface ArrivedAtBroker {
  readonly method: string;
  /** Without the query; segments still percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty when there was none. */
  readonly body: string;
}

/** An answer of the broker. `body` is sent as JSON; undefined sends none. */
export interface BrokerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A resource. */
export function hal(status: number, body: unknown): BrokerAnswer {
  return { status, body, headers: { 'Content-Type': 'application/hal+json;charset=utf-8' } };
}

/** JSON without links. */
export function json(status: number, body: unknown): BrokerAnswer {
  return { status, body, headers: { 'Content-Type': 'application/json' } };
}

/** The answer for a missing resource. */
export const NOT_FOUND = json(404, { error: 'The requested document was not found on this server.' });

/** Something on the way to the broker answers a page: a proxy, a login, a wrong address. */
export const HTML_PAGE: BrokerAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Welcome</title><p>This is not a broker.',
};

/** Reads a request to its end. */
export async function readRequest(request: IncomingMessage): Promise<ArrivedAtBroker> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const { method = 'GET', url = '/', headers } = request;
  return {
    method,
    path: url.split('?')[0] ?? '/',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
  };
}

/** Sends an answer. A text is sent as it is. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: BrokerAnswer): void {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(text)) }).end(text);
}

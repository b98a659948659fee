import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as it arrived. */
export interface ArrivedAtBroker {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Path alone, segments still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
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

const HAL = 'application/hal+json;charset=utf-8';
const JSON_TYPE = 'application/json';

/** A resource. */
export function hal(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return { status, body, headers: { 'Content-Type': HAL, ...headers } };
}

/** An error whose body is JSON without links. */
export function json(status: number, body: unknown): BrokerAnswer {
  return { status, body, headers: { 'Content-Type': JSON_TYPE } };
}

/** 400 with messages by field, as validation answers. */
export function invalid(errors: Readonly<Record<string, readonly string[]>> | readonly string[]) {
  return json(400, { errors });
}

/** What there is not. */
export const NOT_FOUND: BrokerAnswer = json(404, {
  error: 'The requested document was not found on this server.',
});

/** A time as the broker writes it: no milliseconds, no `Z`. */
export function timestamp(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, '+00:00');
}

/** Reads a request to its end. */
export async function readRequest(request: IncomingMessage): Promise<ArrivedAtBroker> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const target = request.url ?? '/';
  const [path = '/', query = ''] = target.split('?');
  return {
    method: request.method ?? 'GET',
    target,
    path,
    query: new URLSearchParams(query),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
  };
}

/** Headers of every answer that the application itself gives, as against the authentication before it. */
const APPLICATION_HEADERS = {
  Vary: 'Accept',
  'Cache-Control': 'no-cache',
  'X-Pact-Broker-Version': '2.120.0',
  'X-Content-Type-Options': 'nosniff',
  Server: 'Webmachine-Ruby/2.0.1 Rack/3.2',
};

/** Sends an answer of the application. */
export function sendAnswer(response: ServerResponse, answer: BrokerAnswer): void {
  sendBare(response, { ...answer, headers: { ...APPLICATION_HEADERS, ...answer.headers } });
}

/** Sends an answer with nothing added. */
export function sendBare(response: ServerResponse, { status, headers, body }: BrokerAnswer): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(text)) }).end(text);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BrokerStore, Publication } from './store.ts';

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

export function hal(status: number, body: unknown): BrokerAnswer {
  return { status, body, headers: { 'Content-Type': 'application/hal+json;charset=utf-8' } };
}

/** JSON without links. */
export function json(status: number, body: unknown): BrokerAnswer {
  return { status, body, headers: { 'Content-Type': 'application/json' } };
}

export const NOT_FOUND = json(404, { error: 'The requested document was not found on this server.' });

/** Something on the way to the broker answers a page: a proxy, a login, a wrong address. */
export const HTML_PAGE: BrokerAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Welcome</title><p>This is not a broker.',
};

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

export interface Call {
  readonly store: BrokerStore;
  /** An address of the broker: absolute, made from the Host that the request was sent to. */
  readonly href: (...segments: readonly string[]) => string;
  /** The body as JSON, `{}` when there is none. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: readonly string[];
}

export function pactHref({ href }: Call, { provider, consumer, version }: Publication): string {
  return href('pacts', 'provider', provider, 'consumer', consumer, 'version', version);
}

/** The permalink of a content, with metadata that say why it was asked for. */
export function contentHref(
  { href }: Call,
  { provider, consumer, sha }: Publication,
  metadata?: string,
): string {
  const segments = ['pacts', 'provider', provider, 'consumer', consumer, 'pact-version', sha];
  return href(...segments, ...(metadata === undefined ? [] : ['metadata', metadata]));
}

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Access to the broker: open, for a user (and perhaps one who only reads), or with the hosted product's token. */
export type BrokerAuth =
  | { readonly kind: 'open' }
  | { readonly kind: 'basic'; readonly writer: Login; readonly reader?: Login }
  | { readonly kind: 'token'; readonly token: string };

const UNAUTHORIZED: BrokerAnswer = {
  status: 401,
  headers: { 'Content-Type': 'text/plain', 'WWW-Authenticate': 'Basic realm="Restricted area"' },
};

/** @returns the answer in place of the application's; undefined if the request may pass */
export function refuseUnlessAllowed(auth: BrokerAuth, request: ArrivedAtBroker): BrokerAnswer | undefined {
  if (auth.kind === 'open') return undefined;
  const { authorization } = request.headers;
  if (auth.kind === 'token') return authorization === `Bearer ${auth.token}` ? undefined : UNAUTHORIZED;
  if (authorization?.startsWith('Bearer ')) return { status: 400 };
  const is = (login: Login | undefined) =>
    login !== undefined &&
    authorization === `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  return is(auth.writer) || (is(auth.reader) && isRead(request)) ? undefined : UNAUTHORIZED;
}

/** Asking for pacts to verify is a POST, and reads. */
function isRead({ method, path }: ArrivedAtBroker): boolean {
  return method === 'GET' || path.endsWith('/for-verification');
}

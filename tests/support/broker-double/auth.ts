import type { ArrivedAtBroker, BrokerAnswer } from './wire.ts';

/** A name and a password. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/**
 * Who may talk to the broker. `open`: anybody. `basic`: a user who may write and perhaps one who may only read. `token`:
 * whoever has the token, as at the hosted product; the broker itself knows no tokens.
 */
export type BrokerAuth =
  | { readonly kind: 'open' }
  | { readonly kind: 'basic'; readonly writer: Login; readonly reader?: Login }
  | { readonly kind: 'token'; readonly token: string };

const UNAUTHORIZED: BrokerAnswer = {
  status: 401,
  headers: { 'Content-Type': 'text/plain', 'WWW-Authenticate': 'Basic realm="Restricted area"' },
};
const UNREADABLE: BrokerAnswer = { status: 400 };

/** @returns what is answered instead of the application, or undefined where the request may pass */
export function refuseUnlessAllowed(auth: BrokerAuth, request: ArrivedAtBroker): BrokerAnswer | undefined {
  if (auth.kind === 'open') return undefined;
  const presented = request.headers.authorization;
  if (auth.kind === 'token') return presented === `Bearer ${auth.token}` ? undefined : UNAUTHORIZED;
  if (presented === undefined) return UNAUTHORIZED;
  const encoded = /^Basic (.+)$/.exec(presented)?.[1];
  if (encoded === undefined) return UNREADABLE;
  const [username, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (rest.length === 0) return UNREADABLE;
  const is = (login: Login | undefined) =>
    login !== undefined && username === login.username && rest.join(':') === login.password;
  if (is(auth.writer)) return undefined;
  return is(auth.reader) && isRead(request) ? undefined : UNAUTHORIZED;
}

/** Asking for pacts to verify is a POST, and reads. */
function isRead({ method, path }: ArrivedAtBroker): boolean {
  return method === 'GET' || (method === 'POST' && path.endsWith('/for-verification'));
}

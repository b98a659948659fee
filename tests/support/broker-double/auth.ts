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

/** @returns what is answered instead of the application, or undefined where the request may pass */
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

import type { HeaderLine } from '../answer.ts';
import { equalSecrets } from '../equal-secrets.ts';
import { parseForm, type ReceivedParameters } from '../parameters.ts';
import type { SignedInSession } from '../records.ts';
import type { HttpRequest } from '../request.ts';
import { authPathOf, type Service } from '../service.ts';

export function sessionOf({ cookie: cookies }: HttpRequest, service: Service): SignedInSession | undefined {
  const prefix = `${cookieName(service)}=`;
  for (const piece of cookies.split(';')) {
    const cookie = piece.trim();
    if (!cookie.startsWith(prefix)) continue;
    const session = service.store.sessions.get(cookie.slice(prefix.length));
    if (session !== undefined) return session;
  }
  return undefined;
}

/** Starts a session. After a sign-in the session id is new, so the earlier one is worthless. */
export function startSession(service: Service, ownerId?: string): SignedInSession {
  const id = service.randomness.token();
  const csrf = service.randomness.token();
  const session: SignedInSession = ownerId === undefined ? { id, csrf } : { id, csrf, ownerId };
  service.store.sessions.set(id, session);
  return session;
}

export function sessionCookie(session: SignedInSession, service: Service): HeaderLine {
  return ['Set-Cookie', `${cookieName(service)}=${session.id}; ${attributes(service)}`];
}

export function endedSessionCookie(service: Service): HeaderLine {
  return ['Set-Cookie', `${cookieName(service)}=; Max-Age=0; ${attributes(service)}`];
}

export interface PostedForm {
  readonly form: ReceivedParameters;
  readonly session: SignedInSession;
}

/** Reads a form; undefined without a session, or without its CSRF token. */
export function postedForm(http: HttpRequest, service: Service): PostedForm | undefined {
  const form = parseForm(http.body);
  const session = sessionOf(http, service);
  const carried = session !== undefined && equalSecrets(form.get('csrf') ?? '', session.csrf);
  return carried ? { form, session } : undefined;
}

function attributes(service: Service): string {
  return `Path=${authPathOf(service) || '/'}; HttpOnly; SameSite=Lax`;
}

/** Cookies ignore ports, so the name distinguishes two emulators on one host. */
function cookieName({ addresses }: Service): string {
  const { port } = new URL(addresses.authUrl);
  return port === '' ? 'legacy_session' : `legacy_session_${port}`;
}

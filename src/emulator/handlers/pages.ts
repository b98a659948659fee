import { emptyAnswer, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { callbackPage } from '../pages/callback.ts';
import { landingPage } from '../pages/landing.ts';
import { errorPage } from '../pages/layout.ts';
import { parseForm } from '../parameters.ts';
import type { HttpRequest } from '../request.ts';
import { authorizeUrlOf, authPathOf, type Service } from '../service.ts';
import { lifetimeOf } from '../simulation/token-changes.ts';
import { equalSecrets } from '../store/randomness.ts';
import type { SignedInSession } from '../store/records.ts';

export function sessionOf(
  { cookie: cookies }: Pick<HttpRequest, 'cookie'>,
  service: Service,
): SignedInSession | undefined {
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

/** Reads a form; undefined without a session, or without its CSRF token. */
export function postedForm(http: HttpRequest, service: Service) {
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

export function landing(_http: HttpRequest, service: Service): ServiceAnswer {
  const { profile, addresses, seed, store } = service;
  const applications = [...store.applications.values()];
  const lifetime = lifetimeOf(service);
  const html = landingPage({
    ...addresses,
    profile: { id: profile.name, title: profile.title, summary: profile.summary },
    defects: service.defects,
    expiresIn: lifetime.documented ? undefined : lifetime.expiresIn,
    autoConsent: service.autoConsent?.owner.email,
    applications,
    owners: seed.owners,
    projects: seed.projects,
    users: seed.users,
    authorizeUrl: authorizeUrlOf(service),
  });
  return pageAnswer(service, 200, html);
}

export function callback({ query }: HttpRequest, service: Service): ServiceAnswer {
  const { addresses, seed } = service;
  const [{ clientId, redirectUris }] = seed.applications;
  const html = callbackPage(
    addresses.authUrl,
    clientId,
    redirectUris[0] ?? '',
    new URLSearchParams(query),
    authorizeUrlOf(service),
  );
  return pageAnswer(service, 200, html);
}

export function pageNotFound(_http: HttpRequest, service: Service): ServiceAnswer {
  return errorAnswer(service, 404, 'No such page', 'The authorization server has nothing at this address.');
}

export function pageAnswer(
  service: Service,
  status: number,
  html: string,
  fresh?: SignedInSession,
): ServiceAnswer {
  const answer = service.policy.answer.page(status, underPrefix(html, authPathOf(service)));
  if (fresh === undefined) return answer;
  return { ...answer, headers: [...answer.headers, sessionCookie(fresh, service)] };
}

export function errorAnswer(service: Service, status: number, title: string, message: string): ServiceAnswer {
  return pageAnswer(service, status, errorPage({ status, title, message }));
}

export function redirectWithin(
  service: Service,
  path: string,
  headers: readonly HeaderLine[] = [],
): ServiceAnswer {
  return emptyAnswer(303, [
    ['Location', `${authPathOf(service)}${path}`],
    ['Cache-Control', 'no-store'],
    ...headers,
  ]);
}

export function staleFormAnswer(service: Service): ServiceAnswer {
  return errorAnswer(
    service,
    403,
    'This form is out of date',
    'Its session has ended, or it was not sent from our page. Go back, reload the page and try again.',
  );
}

/** Adds the prefix to links from the root. Attribute values are escaped, so no text matches. */
function underPrefix(html: string, prefix: string): string {
  return prefix === '' ? html : html.replace(/ (href|action)="\/(?!\/)/g, ` $1="${prefix}/`);
}

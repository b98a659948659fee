import type { ServiceAnswer } from '../answer.ts';
import { signInPage } from '../pages/sign-in.ts';
import { parseForm } from '../parameters.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import { equalSecrets } from '../store/randomness.ts';
import type { ResourceOwner } from '../store/records.ts';
import {
  endedSessionCookie,
  pageAnswer,
  postedForm,
  redirectWithin,
  sessionCookie,
  sessionOf,
  staleFormAnswer,
  startSession,
} from './pages.ts';

/** Compared when no owner has the email, so that an unknown email takes as long as a wrong password. */
const NOBODYS_PASSWORD = 'no owner has this password';

export function signIn(http: HttpRequest, service: Service): ServiceAnswer {
  return http.method === 'GET' ? showForm(http, service) : submit(http, service);
}

export function signOut(http: HttpRequest, service: Service): ServiceAnswer {
  const posted = postedForm(http, service);
  if (posted === undefined) return staleFormAnswer(service);
  service.store.sessions.delete(posted.session.id);
  return redirectWithin(service, localPath(posted.form.get('return_to')), [endedSessionCookie(service)]);
}

function showForm(http: HttpRequest, service: Service): ServiceAnswer {
  const returnTo = localPath(parseForm(http.query).get('return_to'));
  const known = sessionOf(http, service);
  const session = known ?? startSession(service);
  const html = signInPage({ csrf: session.csrf, returnTo });
  return pageAnswer(service, 200, html, known === undefined ? session : undefined);
}

function submit(http: HttpRequest, service: Service): ServiceAnswer {
  const posted = postedForm(http, service);
  if (posted === undefined) return staleFormAnswer(service);
  const { form, session } = posted;
  const email = form.get('email') ?? '';
  const returnTo = localPath(form.get('return_to'));
  const owner = ownerWith(email, form.get('password') ?? '', service);
  if (owner === undefined) {
    const error = 'Email or password is wrong.';
    return pageAnswer(service, 422, signInPage({ csrf: session.csrf, returnTo, email, error }));
  }
  service.store.sessions.delete(session.id);
  http.outcome.effect = 'signed-in';
  return redirectWithin(service, returnTo, [sessionCookie(startSession(service, owner.id), service)]);
}

function ownerWith(email: string, password: string, { store, policy }: Service): ResourceOwner | undefined {
  const wanted = email.trim().toLowerCase();
  let found: ResourceOwner | undefined;
  for (const owner of store.owners.values()) if (owner.email.toLowerCase() === wanted) found = owner;
  if (found !== undefined) return policy.authorize.knows(password, found) ? found : undefined;
  equalSecrets(password, NOBODYS_PASSWORD);
  return undefined;
}

/** Returns a path of this server to continue at; the landing page for anything that could lead elsewhere. */
function localPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/';
}

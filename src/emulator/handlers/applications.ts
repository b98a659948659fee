import { percentDecoded } from '../../http/or-else.ts';
import type { ServiceAnswer } from '../answer.ts';
import {
  APPLICATIONS_PATH,
  applicationCreatedPage,
  applicationPath,
  applicationsPage,
  editApplicationPage,
  type ListedApplication,
  newApplicationPage,
  type TypedApplication,
} from '../pages/account-area.ts';
import type { FieldError } from '../pages/field.ts';
import type { SignedIn } from '../pages/layout.ts';
import { parseForm, type ReceivedParameters } from '../parameters.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import type { RegisteredApplication, ResourceOwner, SignedInSession } from '../store/records.ts';
import { redirectUriProblem } from '../store/seed.ts';
import { errorAnswer, pageAnswer, postedForm, redirectWithin, sessionOf, staleFormAnswer } from './pages.ts';

interface Visit {
  readonly session: SignedInSession;
  readonly owner: ResourceOwner;
  readonly account: SignedIn;
}

export function applications(http: HttpRequest, service: Service): ServiceAnswer {
  return visited(http, service, (visit, form) =>
    form === undefined ? list(visit, service) : create(visit, form, service),
  );
}

export function newApplication(http: HttpRequest, service: Service): ServiceAnswer {
  return visited(http, service, ({ account }) => pageAnswer(service, 200, newApplicationPage(account, {})));
}

export function oneApplication(http: HttpRequest, service: Service): ServiceAnswer {
  return visited(http, service, (visit, form) => {
    const clientId = percentDecoded(http.path.slice(http.path.lastIndexOf('/') + 1));
    const application = service.store.applications.get(clientId);
    if (application === undefined || application.ownerId !== visit.owner.id) {
      return errorAnswer(service, 404, 'No such application', 'You have no application with this client id.');
    }
    if (form === undefined && visit.session.created === clientId) {
      const { created: _, ...session } = visit.session;
      service.store.sessions.set(session.id, session);
      return pageAnswer(service, 200, applicationCreatedPage(visit.account, application));
    }
    return form === undefined
      ? edit(visit, application, service, parseForm(http.query).get('saved') === 'yes')
      : save(visit, application, form, service);
  });
}

/** Runs an action for a signed-in owner; `form` is present for a POST with the session's CSRF token. */
function visited(
  http: HttpRequest,
  service: Service,
  action: (visit: Visit, form?: ReceivedParameters) => ServiceAnswer,
): ServiceAnswer {
  const isPost = http.method === 'POST';
  const session = sessionOf(http, service);
  const owner = session?.ownerId === undefined ? undefined : service.store.owners.get(session.ownerId);
  if (session === undefined || owner === undefined) {
    const returnTo = isPost ? APPLICATIONS_PATH : http.path;
    return redirectWithin(service, `/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
  }
  const visit = { session, owner, account: { csrf: session.csrf, ownerName: owner.name } };
  if (!isPost) return action(visit);
  const posted = postedForm(http, service);
  return posted === undefined ? staleFormAnswer(service) : action(visit, posted.form);
}

function list({ owner, account }: Visit, service: Service): ServiceAnswer {
  const own = [...service.store.applications.values()].filter(({ ownerId }) => ownerId === owner.id);
  return pageAnswer(service, 200, applicationsPage(account, own));
}

/** Leads to a page that shows the secret once: a reload of it creates no second application. */
function create(
  { session, owner, account }: Visit,
  form: ReceivedParameters,
  service: Service,
): ServiceAnswer {
  const read = readApplicationForm(form);
  if ('errors' in read) return pageAnswer(service, 422, newApplicationPage(account, read));
  const application: RegisteredApplication = {
    ...read,
    clientId: service.randomness.token(24),
    clientSecret: service.randomness.token(32),
    ownerId: owner.id,
  };
  service.store.applications.set(application.clientId, application);
  service.store.sessions.set(session.id, { ...session, created: application.clientId });
  return redirectWithin(service, applicationPath(application.clientId));
}

function edit(
  { account }: Visit,
  application: RegisteredApplication,
  service: Service,
  saved: boolean,
): ServiceAnswer {
  const { name, redirectUris } = application;
  const values = { name, redirectUris: redirectUris.join('\n') };
  return pageAnswer(service, 200, editApplicationPage(account, application, { values }, saved));
}

function save(
  { account }: Visit,
  application: RegisteredApplication,
  form: ReceivedParameters,
  service: Service,
): ServiceAnswer {
  const read = readApplicationForm(form);
  if ('errors' in read) {
    const renamed = { ...application, name: read.values.name };
    return pageAnswer(service, 422, editApplicationPage(account, renamed, read));
  }
  service.store.applications.set(application.clientId, { ...application, ...read });
  return redirectWithin(service, `${applicationPath(application.clientId)}?saved=yes`);
}

/** Validates `name` and `redirect_uris` (one address per line, RFC 6749 section 3.1.2). */
function readApplicationForm(
  form: ReceivedParameters,
): Pick<ListedApplication, 'name' | 'redirectUris'> | Required<TypedApplication> {
  const name = (form.get('name') ?? '').trim();
  const typed = form.get('redirect_uris') ?? '';
  const redirectUris = typed
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const unnamed = { field: 'name', message: 'Give the application a name.' };
  const errors = [...(name === '' ? [unnamed] : []), ...addressErrors(redirectUris)];
  if (errors.length > 0) return { values: { name, redirectUris: typed.replaceAll('\r\n', '\n') }, errors };
  return { name, redirectUris };
}

function addressErrors(addresses: readonly string[]): readonly FieldError[] {
  const field = 'redirect_uris';
  if (addresses.length === 0) return [{ field, message: 'Give at least one redirect address.' }];
  return addresses.flatMap((address) => {
    const problem = redirectUriProblem(address);
    return problem === undefined ? [] : [{ field, message: `${address} ${problem}` }];
  });
}

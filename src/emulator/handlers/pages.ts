import { emptyAnswer, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { errorPage } from '../pages/index.ts';
import type { SignedInSession } from '../records.ts';
import { authPathOf, type Service } from '../service.ts';
import { sessionCookie } from './session.ts';

/** A page, with the session's cookie when the session is new. */
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

/** A page that says why there is no other. */
export function errorAnswer(service: Service, status: number, title: string, message: string): ServiceAnswer {
  return pageAnswer(service, status, errorPage({ status, title, message }));
}

/** A redirect to a path of the authorization server itself, by GET. */
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

/** The answer to a form whose session is over or whose token is wrong. */
export function staleFormAnswer(service: Service): ServiceAnswer {
  return errorAnswer(
    service,
    403,
    'This form is out of date',
    'Its session has ended, or it was not sent from our page. Go back, reload the page and try again.',
  );
}

/** Pages link to paths from the root; below a prefix these get the prefix. Attribute values are escaped, so no text matches. */
function underPrefix(html: string, prefix: string): string {
  return prefix === '' ? html : html.replace(/ (href|action)="\/(?!\/)/g, ` $1="${prefix}/`);
}

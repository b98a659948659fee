import { emptyAnswer, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { errorPage } from '../pages/error.ts';
import type { SignedInSession } from '../records.ts';
import { authPathOf, type Service } from '../service.ts';
import { sessionCookie } from './session.ts';

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

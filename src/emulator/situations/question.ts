import type { RequestFilter } from '../control-types.ts';
import { sessionOf } from '../handlers/pages.ts';

import { readSent, whose } from '../journal/sent.ts';
import type { Endpoint } from '../policy.ts';
import { type HttpRequest, noOutcome } from '../request.ts';
import type { Service } from '../service.ts';

/**
 * The properties of a request that a filter compares. Computing them costs more than the answer, so only an armed filter does.
 */
export interface Question {
  readonly endpoint: Endpoint;
  readonly who: () => Pick<RequestFilter, 'grantType' | 'user' | 'clientId'>;
}

export function questionOf(http: HttpRequest, endpoint: Endpoint, service: Service): Question {
  let known: ReturnType<Question['who']> | undefined;
  return {
    endpoint,
    who: () => {
      known ??= identified(http, endpoint, service);
      return known;
    },
  };
}

export function fits({ route, grantType, user, clientId }: RequestFilter, asked: Question): boolean {
  if (route !== 'any' && route !== asked.endpoint) return false;
  if (grantType === undefined && user === undefined && clientId === undefined) return true;
  const who = asked.who();
  return (
    (grantType === undefined || grantType === who.grantType) &&
    (user === undefined || user === who.user) &&
    (clientId === undefined || clientId === who.clientId)
  );
}

/**
 * Refuses a filter that could never match.
 *
 * @throws RangeError naming the member and the expectation
 */
export function checkFilter(filter: RequestFilter, { store }: Service): void {
  const { grantType, user, clientId } = filter;
  if (grantType !== undefined && filter.route !== 'token' && filter.route !== 'any') {
    throw new RangeError(`grantType: expected with the route token, got it with ${filter.route}.`);
  }
  const emails = [...store.owners.values()].map(({ email }) => email);
  if (user !== undefined && !emails.includes(user)) {
    throw new RangeError(`user: expected the email of an owner (${emails.join(', ')}), got ${user}.`);
  }
  if (clientId !== undefined && store.applications.get(clientId) === undefined) {
    throw new RangeError(`clientId: expected the client id of an application, got ${clientId}.`);
  }
}

function identified(http: HttpRequest, endpoint: Endpoint, service: Service): ReturnType<Question['who']> {
  const { path, query, body } = http;
  const said = readSent({
    endpoint,
    target: query === '' ? path : `${path}?${query}`,
    body,
    authorization: http.authorization,
    contentType: http.contentType,
  });
  const { user, application } = whose(said, noOutcome(), service);
  const ownerId = sessionOf(http, service)?.ownerId;
  const signedIn = ownerId === undefined ? undefined : service.store.owners.get(ownerId)?.email;
  return { grantType: said.grantType, user: user ?? signedIn, clientId: application };
}

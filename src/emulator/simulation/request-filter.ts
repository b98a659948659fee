import type { RequestFilter } from '../control/control-types.ts';
import { sessionOf } from '../handlers/pages.ts';
import { headerIn, identitiesOf, readSent, type SentRequest } from '../journal/sent.ts';
import { noOutcome } from '../request.ts';
import type { Service } from '../service.ts';
import { ownerByEmail } from '../store/seed.ts';

export function matchesFilter(filter: RequestFilter, sent: SentRequest, service: Service): boolean {
  const { route, grantType, user, clientId } = filter;
  if (route !== 'any' && route !== sent.endpoint) return false;
  if (grantType === undefined && user === undefined && clientId === undefined) return true;
  const presented = readSent(sent);
  const who = identitiesOf(presented, noOutcome(), service);
  return (
    (grantType === undefined || grantType === presented.grantType) &&
    (user === undefined || user === (who.user ?? signedIn(sent, service))) &&
    (clientId === undefined || clientId === who.application)
  );
}

function signedIn(sent: SentRequest, service: Service): string | undefined {
  const ownerId = sessionOf({ cookie: headerIn(sent, 'cookie') }, service)?.ownerId;
  return ownerId === undefined ? undefined : service.store.owners.get(ownerId)?.email;
}

/** Refuses a filter that could never match. @throws RangeError naming the member and the expectation */
export function checkFilter(filter: RequestFilter, { seed, store }: Service): void {
  const { grantType, user, clientId } = filter;
  if (grantType !== undefined && filter.route !== 'token' && filter.route !== 'any') {
    throw new RangeError(`grantType: expected with the route token, got it with ${filter.route}.`);
  }
  if (user !== undefined) ownerByEmail(user, seed, 'user');
  if (clientId !== undefined && store.applications.get(clientId) === undefined) {
    throw new RangeError(`clientId: expected the client id of an application, got ${clientId}.`);
  }
}

import { Hono } from 'hono/quick';
import { bodyAnswer, type ServiceAnswer } from './answer.ts';
import { deliver } from './deliver.ts';
import {
  type Bindings,
  directEndpoint,
  type EndpointOf,
  type EndpointSurroundings,
  endpoint,
  failureAnswer,
  type Handle,
} from './endpoint.ts';
import type { FrequentEndpoint } from './fast-lane.ts';
import { APPLICATIONS_PATH, applications, newApplication, oneApplication } from './handlers/applications.ts';
import { assignedUsers } from './handlers/assigned-users.ts';
import { authorize } from './handlers/authorize.ts';
import { landing, pageNotFound } from './handlers/landing.ts';
import { neighbours } from './handlers/neighbours.ts';
import { signIn, signOut } from './handlers/sign-in.ts';
import { token } from './handlers/token.ts';
import type { Endpoint } from './policy.ts';
import type { Service } from './service.ts';

/** What answers at one origin. */
export type OriginApp = Hono<{ Bindings: Bindings }>;

/** An origin with nothing on it yet. */
export function emptyApp(): OriginApp {
  const app: OriginApp = new Hono({ strict: true });
  app.onError((error, context) => deliver(failureAnswer(error), context.env));
  return app;
}

/** Says at `/healthz` that what runs here is ready. No part of the service: no fault hits it, no journal has it. */
export function addHealth(app: OriginApp, { service }: EndpointSurroundings): OriginApp {
  return app.get('/healthz', (context) => deliver(healthAnswer(service), context.env));
}

/** The answer to who asks whether the emulator is ready: it listens only once it is. */
export function healthAnswer({ profile }: Service): ServiceAnswer {
  const body = JSON.stringify({ status: 'ready', profile: profile.name });
  return bodyAnswer(200, 'application/json', `${body}\n`, [['Cache-Control', 'no-store']]);
}

/** Puts the authorization server onto an origin, under a prefix (clauses 1, 4.1 to 4.3). */
export function addAuthorizationServer(
  app: OriginApp,
  surroundings: EndpointSurroundings,
  prefix: string,
): OriginApp {
  const at = (path: string, name: EndpointOf, handle: Handle) =>
    app.all(`${prefix}${path}`, endpoint(surroundings, prefix, name, handle));
  at('/oauth/token', 'token', token);
  at('/oauth/authorize', 'authorize', authorize);
  at('/sign-in', 'page', signIn);
  at('/sign-out', 'page', signOut);
  at(APPLICATIONS_PATH, 'page', applications);
  at(`${APPLICATIONS_PATH}/new`, 'page', newApplication);
  at(`${APPLICATIONS_PATH}/:clientId`, 'page', oneApplication);
  for (const [path, handle] of neighbours(surroundings.service.profile)) at(path, 'neighbour', handle);
  at('/', 'page', landing);
  if (prefix !== '') at('', 'page', landing);
  return app;
}

/** Puts the resource API onto an origin, under a prefix (clause 4.4). */
export function addResourceApi(
  app: OriginApp,
  surroundings: EndpointSurroundings,
  prefix: string,
): OriginApp {
  const operation = endpoint(surroundings, prefix, operationAt, assignedUsers);
  app.all(`${prefix}/v2/*`, operation);
  // Without the version nothing is served; that too is for the policy to say (clause 9, open point 17).
  app.all(`${prefix}/projects/*`, operation);
  app.all(`${prefix}/`, endpoint(surroundings, prefix, 'page', landing));
  if (prefix !== '') app.all(prefix, endpoint(surroundings, prefix, 'page', landing));
  return app;
}

/** Answers at an origin for every path that has no endpoint: with a page, or as the resource API does. */
export function addFallback(
  app: OriginApp,
  surroundings: EndpointSurroundings,
  kind: 'page' | 'resource',
  prefix: string,
): OriginApp {
  const handle = kind === 'page' ? pageNotFound : assignedUsers;
  return app.all('*', endpoint(surroundings, prefix, kind === 'page' ? 'page' : operationAt, handle));
}

/** The token endpoint's place on a fast lane. */
export function tokenLane(surroundings: EndpointSurroundings, prefix: string): FrequentEndpoint {
  const path = `${prefix}/oauth/token`;
  return {
    methods: ['POST'],
    fits: (candidate) => candidate === path,
    serve: directEndpoint(surroundings, prefix, 'token', token),
  };
}

/** The place of the operations of clause 4.4 on a fast lane. */
export function operationsLane(surroundings: EndpointSurroundings, prefix: string): FrequentEndpoint {
  const begin = `${prefix}/v2/`;
  return {
    methods: ['GET', 'PUT', 'DELETE'],
    fits: (candidate) => candidate.startsWith(begin),
    serve: directEndpoint(surroundings, prefix, operationAt, assignedUsers),
  };
}

/** Which operation a request to the resource API looks like; what it really is, the policy says. */
function operationAt(method: string, path: string): Endpoint {
  if (!path.includes('/assigned_users')) return 'resource';
  switch (method) {
    case 'GET':
    case 'HEAD':
      return 'list';
    case 'PUT':
      return 'assign';
    case 'DELETE':
      return 'unassign';
    default:
      return 'resource';
  }
}

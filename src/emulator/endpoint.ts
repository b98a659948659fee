import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { type Answer, headerOf as answerHeader, bodyAnswer } from './answer.ts';
import { BODY_LIMIT, bodyFromSocket, bodyOf, ClientGone } from './body.ts';
import { deliver } from './deliver.ts';
import type { Faults } from './faults.ts';
import { errorAnswer } from './handlers/pages.ts';
import type { HttpRequest } from './http-request.ts';
import type { Journal } from './journal.ts';
import type { Endpoint } from './policy.ts';
import { refuse } from './refusal.ts';
import type { Service } from './service.ts';
import { sufferFault } from './suffer-fault.ts';

/** What comes with a request: the socket's two ends, or, in-process, a place to say that the connection breaks. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly onBreak?: (error: unknown) => void;
}

/** A request's context under Hono. */
export type RequestContext = Context<{ Bindings: Bindings }>;

/** What surrounds every endpoint. */
export interface Surroundings {
  readonly service: Service;
  readonly faults: Faults;
  readonly journal: Journal;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
}

/** An endpoint's name, by method and path where one address serves several. */
export type EndpointOf = Endpoint | ((method: string, path: string) => Endpoint);

/** What an endpoint answers to a request that was read whole. */
export type Handle = (http: HttpRequest, service: Service) => Answer | Promise<Answer>;

/**
 * Makes a Hono handler out of an endpoint: reads the request whole, applies faults, keeps the journal, delivers the answer.
 *
 * @param prefix path that the listener's addresses begin with; empty or without a slash at its end
 */
export function endpoint(
  { service, faults, journal, closing }: Surroundings,
  prefix: string,
  named: EndpointOf,
  handle: Handle,
): (context: RequestContext) => Promise<Response> {
  return async (context) => {
    const { incoming, outgoing } = context.env;
    const raw = context.req.raw;
    const target = targetOf(raw.url);
    let body: string | undefined;
    try {
      body = raw.method === 'GET' || raw.method === 'HEAD' ? '' : await bodyOf(raw, incoming);
    } catch (error) {
      if (error instanceof ClientGone) return RESPONSE_ALREADY_SENT;
      throw error;
    }
    const header =
      incoming === undefined
        ? (name: string) => raw.headers.get(name) ?? ''
        : (name: string) => headerOf(incoming, name);
    const http = httpRequest(raw.method, target, prefix, body ?? '', header);
    const name = typeof named === 'string' ? named : named(http.method, http.path);
    const answered = async () => {
      const answer = body === undefined ? tooLarge(name, service) : await handle(http, service);
      return service.policy.answer.finish(name, answer);
    };
    const seen = {
      at: service.clock.now(),
      endpoint: name,
      method: http.method,
      target,
      rawHeaders: incoming?.rawHeaders ?? [...raw.headers].flat(),
      body: http.body,
    };
    const fault = faults.take(name);
    if (fault !== undefined) {
      const { response, ...outcome } = await sufferFault(
        fault,
        context,
        answered,
        challengeAt(name, service),
        closing,
      );
      journal.record({ ...seen, ...outcome, fault: fault.kind });
      return response;
    }
    const answer = await answered();
    const { status, refusal } = answer;
    journal.record(refusal === undefined ? { ...seen, status } : { ...seen, status, refusal });
    return deliver(answer, outgoing);
  };
}

/**
 * Makes the same of an endpoint for a request that comes straight from a socket, whose address stands as the handler is
 * to see it, whose body is within the limit, and that no fault hits.
 */
export function directEndpoint(
  { service, journal }: Surroundings,
  prefix: string,
  named: EndpointOf,
  handle: Handle,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const { method = '', url: target = '', rawHeaders } = incoming;
    try {
      const body = method === 'GET' ? '' : ((await bodyFromSocket(incoming, BODY_LIMIT)) ?? '');
      const http = httpRequest(method, target, prefix, body, (name) => headerOf(incoming, name));
      const name = typeof named === 'string' ? named : named(method, http.path);
      const at = service.clock.now();
      const answer = service.policy.answer.finish(name, await handle(http, service));
      const { status, refusal } = answer;
      const seen = { at, endpoint: name, method, target, rawHeaders, body, status };
      journal.record(refusal === undefined ? seen : { ...seen, refusal });
      deliver(answer, outgoing);
    } catch (error) {
      if (!(error instanceof ClientGone)) deliver(failureAnswer(error), outgoing);
    }
  };
}

/** What is answered when something goes wrong inside: without a word of where. The error itself goes to the log. */
export function failureAnswer(error: unknown): Answer {
  console.error(error);
  return bodyAnswer(500, 'text/plain; charset=utf-8', 'The emulator failed. Its log says why.\n');
}

function httpRequest(
  method: string,
  target: string,
  prefix: string,
  body: string,
  header: HttpRequest['header'],
): HttpRequest {
  const mark = target.indexOf('?');
  return {
    method,
    path: (mark < 0 ? target : target.slice(0, mark)).slice(prefix.length),
    query: mark < 0 ? '' : target.slice(mark + 1),
    body,
    header,
  };
}

/** Path and query of an absolute address, as they stand. */
function targetOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  if (slash < 0) return '/';
  const hash = url.indexOf('#', slash);
  return hash < 0 ? url.slice(slash) : url.slice(slash, hash);
}

function headerOf(incoming: IncomingMessage, name: string): string {
  const value = incoming.headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

/** What the service sends as `WWW-Authenticate` with a 401 at an endpoint; undefined where it sends none. */
function challengeAt(name: Endpoint, { policy }: Service): string | undefined {
  switch (name) {
    case 'page':
    case 'authorize':
      return undefined;
    case 'token':
    case 'neighbour':
      return answerHeader(
        policy.answer.tokenFailure(refuse('client-secret-wrong', 'armed fault')),
        'WWW-Authenticate',
      );
    default:
      return answerHeader(
        policy.answer.resourceFailure(refuse('token-unknown', 'armed fault')),
        'WWW-Authenticate',
      );
  }
}

function tooLarge(name: Endpoint, service: Service): Answer {
  const { answer } = service.policy;
  const refusal = refuse('body-too-large', 'the body is larger than the limit');
  switch (name) {
    case 'token':
    case 'neighbour':
      return answer.tokenFailure(refusal);
    case 'page':
    case 'authorize':
      return errorAnswer(service, 413, 'Too large', 'The form holds more than this server reads.');
    default:
      return answer.resourceFailure(refusal);
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Answer, HeaderLine } from './answer.ts';
import { bodyOf, ClientGone } from './body.ts';
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

/**
 * Makes a Hono handler out of an endpoint: reads the request whole, applies faults, keeps the journal, delivers the answer.
 *
 * @param prefix path that the listener's addresses begin with; empty or without a slash at its end
 */
export function endpoint(
  { service, faults, journal, closing }: Surroundings,
  prefix: string,
  named: EndpointOf,
  handle: (http: HttpRequest, service: Service) => Answer | Promise<Answer>,
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
    const http = httpRequest(raw, incoming, target, prefix, body ?? '');
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
      headers: incoming === undefined ? () => [...raw.headers] : () => linesOf(incoming.rawHeaders),
      body: http.body,
    };
    const fault = faults.take(name);
    if (fault !== undefined) {
      const { response, ...outcome } = await sufferFault(fault, context, answered, closing);
      journal.record({ ...seen, ...outcome, fault: fault.kind });
      return response;
    }
    const answer = await answered();
    const { status, refusal } = answer;
    journal.record(refusal === undefined ? { ...seen, status } : { ...seen, status, refusal });
    return deliver(answer, outgoing);
  };
}

function httpRequest(
  raw: Request,
  incoming: IncomingMessage | undefined,
  target: string,
  prefix: string,
  body: string,
): HttpRequest {
  const mark = target.indexOf('?');
  return {
    method: raw.method,
    path: (mark < 0 ? target : target.slice(0, mark)).slice(prefix.length),
    query: mark < 0 ? '' : target.slice(mark + 1),
    body,
    header:
      incoming === undefined ? (name) => raw.headers.get(name) ?? '' : (name) => headerOf(incoming, name),
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

function linesOf(rawHeaders: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    lines.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return lines;
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

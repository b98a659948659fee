import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { bodyAnswer, type ServiceAnswer } from './answer.ts';
import { BODY_LIMIT, bodyFromSocket, bodyOf, ClientGone } from './body.ts';
import { deliver } from './deliver.ts';
import { errorAnswer } from './handlers/pages.ts';
import { type HttpRequest, noOutcome } from './http-request.ts';
import type { Journal, JournalRecord } from './journal/journal.ts';
import type { Endpoint } from './policy.ts';
import { refuse } from './refusal.ts';
import type { Service } from './service.ts';
import type { Faults } from './situations/faults.ts';
import { clientIsGone, goneSignal } from './situations/gone.ts';
import type { Holds } from './situations/holds.ts';
import { questionOf } from './situations/question.ts';
import { type Suffered, sufferFault } from './situations/suffer-fault.ts';

/** What comes with a request: the socket's two ends, or, in-process, a place for the answer and one to say that the connection breaks. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  /** Takes the answer as it is; without it, and without a socket, a `Response` is made of it. */
  readonly onAnswer?: (answer: ServiceAnswer) => void;
  readonly onBreak?: (error: unknown) => void;
}

/** A request's context under Hono. */
export type RequestContext = Context<{ Bindings: Bindings }>;

/** What surrounds every endpoint. */
export interface EndpointSurroundings {
  readonly service: Service;
  readonly faults: Faults;
  readonly holds: Holds;
  /** The number of a request's socket, from 1. */
  readonly connectionOf: (incoming: IncomingMessage) => number;
  readonly journal: Journal;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
}

/** An endpoint's name, by method and path where one address serves several. */
export type EndpointOf = Endpoint | ((method: string, path: string) => Endpoint);

/** What an endpoint answers to a request that was read whole. */
export type Handle = (http: HttpRequest, service: Service) => ServiceAnswer | Promise<ServiceAnswer>;

/**
 * Makes a Hono handler out of an endpoint: reads the request whole, applies holds and faults, keeps the journal, delivers the answer.
 *
 * @param prefix path that the listener's addresses begin with; empty or without a slash at its end
 */
export function endpoint(
  surroundings: EndpointSurroundings,
  prefix: string,
  named: EndpointOf,
  handle: Handle,
): (context: RequestContext) => Promise<Response> {
  const { service, faults, holds, journal } = surroundings;
  return async (context) => {
    const { incoming } = context.env;
    const raw = context.req.raw;
    const target = targetOf(raw.url);
    let body: string | undefined;
    try {
      // In-process a GET waits for its empty body as others do for theirs: requests sent at once arrive in the order in which they were sent.
      const bodiless = incoming !== undefined && (raw.method === 'GET' || raw.method === 'HEAD');
      body = bodiless ? '' : await bodyOf(raw, incoming);
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
    const record = journal.arrived({
      at: service.clock.now(),
      connection: incoming === undefined ? undefined : surroundings.connectionOf(incoming),
      endpoint: name,
      method: http.method,
      target,
      rawHeaders: incoming?.rawHeaders ?? [...raw.headers].flat(),
      body: http.body,
      outcome: http.outcome,
    });
    if (!faults.idle || !holds.idle) return interfere(surroundings, context, http, record, answered);
    const answer = await answered();
    record.status = answer.status;
    record.refusal = answer.refusal;
    record.clientGone = clientIsGone(context);
    journal.answered(record);
    return deliver(answer, context.env);
  };
}

/** Serves a request while holds or faults are armed: the hold before its effect, the fault, the hold before its answer. */
async function interfere(
  { service, faults, holds, journal, closing }: EndpointSurroundings,
  context: RequestContext,
  http: HttpRequest,
  record: JournalRecord,
  effect: () => Promise<ServiceAnswer>,
): Promise<Response> {
  const { endpoint } = record;
  const asked = questionOf(http, endpoint, service);
  const gone = goneSignal(context, closing);
  const hold = holds.take(asked);
  const fault = faults.take(asked);
  const held = async () => {
    if (hold === undefined) return;
    journal.waits(record, hold.id);
    record.held = await hold.wait(gone);
  };
  if (hold?.phase === 'request') await held();
  if (fault?.kind === 'delay' || fault?.kind === 'stall') journal.waits(record, fault.id);
  const made =
    fault === undefined
      ? await plain(effect, context)
      : await sufferFault(fault, { context, endpoint, service, effect, gone });
  if (hold?.phase === 'answer') await held();
  record.status = made.answer?.status;
  record.refusal = made.answer?.refusal;
  record.fault = fault;
  record.clientGone = clientIsGone(context);
  journal.answered(record);
  return made.deliver();
}

async function plain(effect: () => Promise<ServiceAnswer>, { env }: RequestContext): Promise<Suffered> {
  const answer = await effect();
  return { answer, deliver: () => deliver(answer, env) };
}

/**
 * Makes the same of an endpoint for a request that comes straight from a socket, whose address stands as the handler is
 * to see it, whose body is within the limit, and that no fault hits.
 */
export function directEndpoint(
  { service, journal, connectionOf }: EndpointSurroundings,
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
      const record = journal.arrived({
        at: service.clock.now(),
        connection: connectionOf(incoming),
        endpoint: name,
        method,
        target,
        rawHeaders,
        body,
        outcome: http.outcome,
      });
      const answer = service.policy.answer.finish(name, await handle(http, service));
      record.status = answer.status;
      record.refusal = answer.refusal;
      record.clientGone = outgoing.destroyed;
      journal.answered(record);
      deliver(answer, { outgoing });
    } catch (error) {
      if (!(error instanceof ClientGone)) deliver(failureAnswer(error), { outgoing });
    }
  };
}

/** What is answered when something goes wrong inside: without a word of where. The error itself goes to the log. */
export function failureAnswer(error: unknown): ServiceAnswer {
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
    outcome: noOutcome(),
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

function tooLarge(name: Endpoint, service: Service): ServiceAnswer {
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

import { bodyAnswer, type ServiceAnswer } from './answer.ts';
import type { Journal, JournalRecord } from './journal/journal.ts';
import type { Endpoint } from './policy/policy.ts';
import {
  type HandledRequest,
  type HttpRequest,
  handledAnswer,
  noOutcome,
  type ReceivedRequest,
  type RequestHandler,
} from './request.ts';
import { authPathOf, type Service } from './service.ts';
import { applyFault } from './simulation/apply-fault.ts';
import type { Faults } from './simulation/faults.ts';
import type { Holds } from './simulation/holds.ts';
import { endedAnswer, withAnnouncement } from './simulation/retirement.ts';

/** Bytes; a larger body is answered with 413 (RFC 9110 section 15.5.14). */
const BODY_LIMIT = 512 * 1024;

export interface EmulatorParts {
  readonly service: Service;
  readonly faults: Faults;
  readonly holds: Holds;
  readonly journal: Journal;
  readonly closing: AbortSignal;
}

export type Handle = (http: HttpRequest, service: Service) => ServiceAnswer | Promise<ServiceAnswer>;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handle: Handle;
  /** Path prefix of the listener's addresses: empty, or without a trailing slash. */
  readonly prefix: string;
  readonly methods?: readonly string[];
}

export type RouteOf = (method: string, path: string) => Route;

/** A proxy in front may pass on only the path of {auth_url}. */
function isHealth(path: string, service: Service): boolean {
  return path === '/healthz' || path === `${authPathOf(service)}/healthz`;
}

/** The only entry to the service: applies holds and faults, runs the route's function, keeps the journal. */
export function serviceHandler(emulatorParts: EmulatorParts, routeOf: RouteOf): RequestHandler {
  const { service, faults, holds, journal } = emulatorParts;
  return {
    bodyLimit: BODY_LIMIT,
    async handle(request) {
      const { method, target, body } = request;
      const mark = target.indexOf('?');
      const path = mark < 0 ? target : target.slice(0, mark);
      if (path.endsWith('/healthz') && (method === 'GET' || method === 'HEAD') && isHealth(path, service))
        return handledAnswer(healthAnswer(service));
      try {
        const { endpoint, handle, prefix, methods } = routeOf(method, service.policy.answer.path(path));
        const http: HttpRequest = {
          method: service.policy.answer.method(method),
          path: path.slice(prefix.length),
          query: mark < 0 ? '' : target.slice(mark + 1),
          body: body ?? '',
          accept: request.header('accept'),
          authorization: request.header('authorization'),
          contentType: request.header('content-type'),
          cookie: request.header('cookie'),
          outcome: noOutcome(),
        };
        const record = journal.arrived({
          at: service.clock.now(),
          connection: request.connection,
          endpoint,
          method,
          target,
          rawHeaders: request.rawHeaders,
          body: http.body,
          outcome: http.outcome,
        });
        const effect = () => {
          const ended = endedAnswer(service.retirement, endpoint, service.clock.now());
          if (ended !== undefined) return ended;
          if (body === undefined)
            return bodyAnswer(413, 'text/plain; charset=utf-8', 'The body is too large.\n');
          if (methods?.includes(http.method) === false)
            return service.policy.answer.otherMethod(endpoint, http.method, methods);
          return handle(http, service);
        };
        const finished = (answer: ServiceAnswer) =>
          withAnnouncement(service.retirement, endpoint, service.policy.answer.finish(endpoint, answer));
        const ending =
          faults.idle && holds.idle
            ? handledAnswer(finished(await effect()))
            : await interfere(emulatorParts, request, record, async () => finished(await effect()));
        record.status = ending.answer?.status;
        record.refusal = ending.answer?.refusal;
        record.clientGone = request.isGone();
        journal.answered(record);
        return ending;
      } catch (error) {
        console.error(error);
        const text = 'The emulator failed. Its log says why.\n';
        return handledAnswer(bodyAnswer(500, 'text/plain; charset=utf-8', text));
      }
    },
  };
}

/** Answers that the emulator is ready: it listens only then. No fault applies, and the journal omits it. */
export function healthAnswer({ profile }: Service): ServiceAnswer {
  const body = JSON.stringify({ status: 'ready', profile: profile.name });
  return bodyAnswer(200, 'application/json', `${body}\n`, [['Cache-Control', 'no-store']]);
}

/** Serves a request while holds or faults are armed: hold before the effect, fault, hold before the answer. */
async function interfere(
  { service, faults, holds, journal, closing }: EmulatorParts,
  request: ReceivedRequest,
  record: JournalRecord,
  effect: () => Promise<ServiceAnswer>,
): Promise<HandledRequest> {
  const { endpoint } = record;
  const gone = AbortSignal.any([request.gone(), closing]);
  const hold = holds.take(record);
  const fault = faults.take(record);
  const held = async () => {
    if (hold === undefined) return;
    journal.waits(record, hold.id);
    record.held = await hold.wait(gone);
  };
  if (hold?.phase === 'request') await held();
  if (fault?.kind === 'delay' || fault?.kind === 'stall') journal.waits(record, fault.id);
  const ending =
    fault === undefined
      ? handledAnswer(await effect())
      : await applyFault(fault, { endpoint, service, effect, gone });
  if (hold?.phase === 'answer') await held();
  record.fault = fault;
  return ending;
}

import { isListRequest, type Transport, TransportFailure, type WireResponse } from '../../http/exchange.ts';
import type { UserAgent } from '../agent/user-agent.ts';
import type { Session } from './session.ts';

/** Limit of requests in a smoke run, including the browser's. */
export const SMOKE_REQUESTS = 20;

/** Requests after an assign that confirm the cleanup: list, unassign, list. */
const CLEAN_UP_REQUESTS = 3;

/** Returns a session for one flow with as few requests as possible: one project, no repeated list, a limit of requests. */
export function smokeSession(session: Session): Session {
  const { target, pageAgent } = session;
  const lists = new Map<string, WireResponse>();
  const full = (reserve = 0): TransportFailure | undefined => {
    const used = target.traffic?.used.requests ?? 0;
    if (used + reserve < SMOKE_REQUESTS) return undefined;
    return new TransportFailure(
      'not-sent',
      `not sent: a smoke run has ${SMOKE_REQUESTS} requests, and ${used} are used; pages that take so many need a full run`,
    );
  };
  const transport: Transport = async (request, signal) => {
    const { method, url, headers } = request;
    const key = JSON.stringify([url, headers]);
    const remembered = isListRequest(request) ? lists.get(key) : undefined;
    if (remembered !== undefined) return remembered;
    const why = method === 'DELETE' ? undefined : full(method === 'PUT' ? CLEAN_UP_REQUESTS : 0);
    if (why !== undefined) throw why;
    if (method === 'PUT' || method === 'DELETE') lists.clear();
    const response = await target.transport(request, signal);
    if (isListRequest(request)) lists.set(key, response);
    return response;
  };
  const agent: UserAgent = {
    kind: pageAgent.kind,
    createApplication: async () => ({ instead: 'a smoke run creates no applications' }),
    authorize: async (...given) => {
      const trouble = full()?.message;
      return trouble === undefined
        ? pageAgent.authorize(...given)
        : { pages: [], visited: [], decided: false, trouble };
    },
  };
  return {
    ...session,
    target: { ...target, projects: [target.projects[0]], transport },
    pageAgent: agent,
    quickAgent: agent,
  };
}

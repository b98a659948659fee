import {
  isListRequest,
  isTokenRequest,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from '../../http/exchange.ts';
import { Recorder } from '../../http/recorder.ts';
import type { AuthorizeOptions, AuthorizeOutcome, ShownCredentials, UserAgent } from '../agent/user-agent.ts';
import type { RequestStyle } from './request-style.ts';
import type { Session } from './session.ts';

/** Limit of requests in a smoke run, including the browser's. */
export const SMOKE_REQUESTS = 20;

/** Requests after an assign that confirm the cleanup: list, unassign, list. */
const PUTTING_BACK = 3;

const NO_ACCOUNT_AREA: ShownCredentials = { instead: 'a smoke run creates no applications' };

/** One flow through a live target with as few requests as possible. Its answers can be evaluated again without sending. */
export class SmokeRun {
  readonly #session: Session;
  readonly #answers = new Map<string, WireResponse>();
  readonly #outcomes = new Map<string, AuthorizeOutcome>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** The session of the walk: one project, no repeated list, at most {@link SMOKE_REQUESTS} requests. */
  get session(): Session {
    const { target, pageAgent } = this.#session;
    const transport = this.#sparing(target.transport);
    const agent = this.#remembering(pageAgent);
    return {
      ...this.#session,
      target: { ...target, projects: [target.projects[0]], transport },
      pageAgent: agent,
      quickAgent: agent,
      newRecorder: (signal) => new Recorder(transport, signal),
    };
  }

  afterwards(requestStyle: RequestStyle): Session {
    const transport: Transport = async (request) => {
      const known = this.#answers.get(keyOf(request));
      if (known !== undefined) return known;
      throw new TransportFailure('not-sent', `not sent: a smoke run sends nothing after the smoke flow`);
    };
    const agent: UserAgent = {
      kind: 'cookies',
      createApplication: async () => NO_ACCOUNT_AREA,
      authorize: async (url, options) =>
        this.#outcomes.get(outcomeKey(url, options)) ?? {
          pages: [],
          visited: [],
          decided: false,
          trouble: 'a smoke run authorizes once',
        },
    };
    return {
      ...this.#session,
      requestStyle,
      pageAgent: agent,
      quickAgent: agent,
      grants: { page: 0, cookies: 0 },
      newRecorder: (signal) => new Recorder(transport, signal),
    };
  }

  /** Serves unchanged lists from memory, and reserves requests to undo an assign. */
  #sparing(inner: Transport): Transport {
    return async (request, signal) => {
      const key = keyOf(request);
      const remembered = isListRequest(request) ? this.#answers.get(key) : undefined;
      if (remembered !== undefined) return remembered;
      if (request.method !== 'DELETE') this.#demandRoom(request.method === 'PUT' ? PUTTING_BACK : 0);
      if (request.method === 'PUT' || request.method === 'DELETE') this.#forgetLists();
      const response = await inner(request, signal);
      if (isListRequest(request) || isTokenRequest(request)) this.#answers.set(key, response);
      return response;
    };
  }

  #remembering(agent: UserAgent): UserAgent {
    return {
      kind: agent.kind,
      createApplication: async () => NO_ACCOUNT_AREA,
      authorize: async (url, options, recorder) => {
        const full = this.#full(0);
        if (full !== undefined) return { pages: [], visited: [], decided: false, trouble: full.message };
        const outcome = await agent.authorize(url, options, recorder);
        this.#outcomes.set(outcomeKey(url, options), outcome);
        return outcome;
      },
    };
  }

  #demandRoom(reserve: number): void {
    const full = this.#full(reserve);
    if (full !== undefined) throw full;
  }

  #full(reserve: number): TransportFailure | undefined {
    const used = this.#session.target.traffic?.used.requests ?? 0;
    if (used + reserve < SMOKE_REQUESTS) return undefined;
    return new TransportFailure(
      'not-sent',
      `not sent: a smoke run has ${SMOKE_REQUESTS} requests, and ${used} are used; pages that take so many need a full run`,
    );
  }

  #forgetLists(): void {
    for (const key of this.#answers.keys()) if (key.startsWith('["GET"')) this.#answers.delete(key);
  }
}

function keyOf({ method, url, headers, body }: WireRequest): string {
  return JSON.stringify([method, url, headers, body]);
}

function outcomeKey(url: string, { decision, signedIn }: AuthorizeOptions): string {
  const { searchParams } = new URL(url);
  searchParams.delete('state');
  return JSON.stringify([searchParams.toString(), decision, signedIn]);
}

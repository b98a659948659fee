import { Aborted, type Exchange, type Transport, type WireRequest } from '../../http/exchange.ts';
import { Recorder } from '../../http/recorder.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import type { CredentialSource } from '../agent/sign-in-values.ts';
import type { Decision, UserAgent } from '../agent/user-agent.ts';
import { registerTargetSecrets } from '../open-target.ts';
import type { Target, TargetClock } from '../target.ts';
import { AssignedByRun, Leftovers } from './assigned-by-run.ts';
import { LateAnswers } from './late-answers.ts';
import { DOCUMENTED, type RequestStyle } from './requests.ts';

/** The newest token of the smoke flow, and when a list showed the user of the lock. */
interface Lock {
  shown: 'at-once' | 'late' | 'never';
  token?: string;
}

/** One worker's connection to a target: signed in once, with the request style from the smoke flow. Checks never change it. */
export interface Session {
  readonly target: Target;
  readonly requestStyle: RequestStyle;
  readonly secrets: SecretRegistry;
  readonly pageAgent: UserAgent;
  readonly quickAgent: UserAgent;
  readonly grants: { page: number; cookies: number };
  /** Visits in a row that gave a code in the browser alone. */
  readonly fallbacks: { inARow: number };
  /** Returns the number of sign-ins that `budget.signIns` still allows. */
  readonly signInsLeft: () => number;
  readonly lock: Lock;
  readonly lastLists: LastLists;
  /** Own users that this run assigned: the cleanup unassigns only these. */
  readonly assignedByRun: AssignedByRun;
  /** Decisions of the owner that the quick agent can perform. */
  readonly quickDecisions: Set<Decision>;
  readonly leftovers: Leftovers;
  readonly latest: LatestResponses;
  /** Answers that time alone made right. */
  readonly late: Pick<LateAnswers, 'found' | 'forget'>;
  /** The monitor of all exchanges, see `src/evaluation/monitor`. */
  readonly findings?: {
    readonly count: () => number;
    /** Marks findings as transient. */
    readonly markUncertain: (from: number, to: number) => void;
    /** Reads lists from now on where the style has the ids. */
    readonly readLists: (requestStyle: RequestStyle) => void;
  };
  /** Ends the recorders of the session. */
  readonly signal: AbortSignal | undefined;
}

export function initialRequestStyle(target: Target): RequestStyle {
  return {
    ...DOCUMENTED,
    presentation: target.presentation ?? DOCUMENTED.presentation,
    userIdPointer: target.userIdPointer,
  };
}

interface SessionParts extends Pick<Session, 'secrets'> {
  readonly credentials: Pick<CredentialSource, 'signInsLeft' | 'clockMoved'>;
  readonly pageAgent: UserAgent;
  readonly quickAgent: UserAgent;
  readonly signal?: AbortSignal;
}

export function createSession(target: Target, parts: SessionParts): Session {
  const { secrets, pageAgent, quickAgent, credentials, signal } = parts;
  registerTargetSecrets(target, secrets);
  const leftovers = new Leftovers();
  const assignedByRun = new AssignedByRun(target);
  const late = new LateAnswers(target);
  const guarded = late.guard(assignedByRun.guard(target.transport));
  const lastLists = new LastLists();
  const clockMoves = () => {
    lastLists.forget();
    credentials.clockMoved();
  };
  return {
    target: {
      ...target,
      transport: guarded,
      clock: target.clock && guardedClock(target.clock, clockMoves),
    },
    requestStyle: initialRequestStyle(target),
    secrets,
    pageAgent,
    quickAgent,
    grants: { page: 0, cookies: 0 },
    fallbacks: { inARow: 0 },
    signInsLeft: credentials.signInsLeft,
    lock: { shown: 'at-once' },
    lastLists,
    quickDecisions: new Set(),
    assignedByRun,
    late,
    leftovers,
    latest: new LatestResponses(),
    signal,
  };
}

/** Returns a recorder for one piece of work. It sends through the session, and ends with the signal. */
export function newRecorder(session: Session, signal: AbortSignal | undefined = session.signal): Recorder {
  const { target, lastLists, leftovers } = session;
  return new Recorder(lastLists.guard(leftovers.guard(target.transport)), signal);
}

/** Returns a session that sends nothing and moves no clock once the signal is aborted. */
export function sessionUntil(session: Session, signal: AbortSignal): Session {
  const { target } = session;
  const beforeAbort = () => {
    if (signal.aborted) throw new Aborted(signal);
  };
  return {
    ...session,
    target: { ...target, clock: target.clock && guardedClock(target.clock, beforeAbort) },
    signal,
  };
}

/** Returns a session whose moves of the clock appear among the recorder's steps. */
export function withRecordedClock(session: Session, recorder: Recorder): Session {
  const { target } = session;
  if (target.clock === undefined) return session;
  const clock = guardedClock(target.clock, (seconds) =>
    recorder.step({ purpose: timePassingText(seconds), startedAt: Date.now(), durationMs: 0 }),
  );
  return { ...session, target: { ...target, clock } };
}

/** Words the passing of seconds as a step of a record. */
export function timePassingText(seconds: number): string {
  return `${seconds} s pass on the service's clock`;
}

/** Calls `before` each time before the clock is moved. */
function guardedClock(clock: TargetClock, before: (seconds: number) => void): TargetClock {
  return {
    ...clock,
    advance: async (seconds) => {
      before(seconds);
      await clock.advance(seconds);
    },
  };
}

/**
 * Caches each project's list during one check, until a request may change it. The next check reads again, to see
 * changes by other clients. One per session.
 */
class LastLists {
  readonly #lists = new Map<string, Exchange>();
  #changing = 0;

  of(project: string): Exchange | undefined {
    return this.#lists.get(project);
  }

  /** Caches a list that was read in the documented form with a token that may list. */
  keep(project: string, answer: Exchange): void {
    if (this.#changing === 0) this.#lists.set(project, answer);
  }

  /** Clears the cache: a new check, a moved clock or a refresh may change the lists. */
  forget(): void {
    this.#lists.clear();
  }

  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (request.method === 'GET' || !request.url.includes('/projects/')) return inner(request, signal);
      this.forget();
      this.#changing += 1;
      try {
        return await inner(request, signal);
      } finally {
        this.#changing -= 1;
      }
    };
  }
}

/**
 * Knows the refresh token of each application's latest token response: the document promises to honour no other (clause 4.3), so a
 * service may end those of earlier grants.
 */
class LatestResponses {
  readonly #latest = new Map<string, string>();
  readonly #outdated = new WeakSet<WireRequest>();
  /** Becomes true if the service honours the refresh tokens of earlier grants; undefined until a check asks. */
  keepsEarlier: Promise<boolean> | undefined;

  sent(request: WireRequest): void {
    const [client, token] = partsOf(request);
    if (token !== null && token !== this.#latest.get(client)) this.#outdated.add(request);
  }

  answered(request: WireRequest, refreshToken: string): void {
    const [client] = partsOf(request);
    this.#latest.set(client, refreshToken);
  }

  /** True for a refresh that was sent with the token of an earlier token response. */
  isOutdated(request: WireRequest): boolean {
    return this.#outdated.has(request);
  }
}

function partsOf({ body }: WireRequest): readonly [client: string, refreshToken: string | null] {
  const parameters = new URLSearchParams(body);
  return [parameters.get('client_id') ?? '', parameters.get('refresh_token')];
}

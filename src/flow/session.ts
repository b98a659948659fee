import type { CookieJar } from '../agent/cookie-jar.ts';
import type { Decision, UserAgent } from '../agent/user-agent.ts';
import { Aborted, type Transport } from '../exchange/exchange.ts';
import { Recorder, type Validator } from '../exchange/recorder.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { registerTargetSecrets } from '../targets/open-target.ts';
import type { Target, TargetClock } from '../targets/target.ts';
import { AssignedByRun } from './assigned-by-run.ts';
import { LastLists } from './last-lists.ts';
import { Leftovers } from './leftovers.ts';
import type { Operation, RequestStyle } from './request-style.ts';

/** One worker's connection to a target: signed in once, with the request style from the smoke flow. Checks never change it. */
export interface Session {
  readonly target: Target;
  readonly requestStyle: RequestStyle;
  readonly secrets: SecretRegistry;
  readonly pageAgent: UserAgent;
  readonly quickAgent: UserAgent;
  readonly shareCookies: () => Promise<void>;
  readonly grants: { page: number; cookies: number };
  /** Replacement tokens by original token and operation; see `one-scope.ts`. */
  readonly siblings: Map<string, ReadonlyMap<Operation, string>>;
  readonly watch: { done: boolean };
  readonly lastLists: LastLists;
  /** Own users that this run assigned: the cleanup unassigns only these. */
  readonly assignedByRun: AssignedByRun;
  /** Decisions of the owner that the quick agent can perform. */
  readonly quickDecisions: Set<Decision>;
  readonly leftovers: Leftovers;
  /** The monitor of all exchanges: its number of findings, and a way to mark findings as transient; see `src/monitor`. */
  readonly findings?: { readonly count: () => number; readonly doubt: (from: number, to: number) => void };
  /**
   * Returns a recorder for one piece of work. It ends with the signal, by default the session's.
   *
   * @param transport replaces the session's own
   */
  readonly newRecorder: (signal?: AbortSignal, transport?: Transport) => Recorder;
}

export interface SessionParts {
  readonly target: Target;
  readonly requestStyle: RequestStyle;
  readonly secrets: SecretRegistry;
  readonly pageAgent: UserAgent & { cookieJar?: () => Promise<CookieJar> };
  readonly quickAgent: UserAgent & { useCookies?: (jar: CookieJar) => void };
  readonly transport: Transport;
  readonly validator: Validator;
  readonly signal?: AbortSignal;
}

export function createSession(parts: SessionParts): Session {
  const { target, secrets, pageAgent, quickAgent } = parts;
  registerTargetSecrets(target, secrets);
  const leftovers = new Leftovers();
  const assignedByRun = new AssignedByRun(target);
  const guarded = assignedByRun.guard(parts.transport);
  const lastLists = new LastLists();
  return {
    target: {
      ...target,
      transport: guarded,
      clock: target.clock && clockAfter(target.clock, () => lastLists.forget()),
    },
    requestStyle: parts.requestStyle,
    secrets,
    pageAgent,
    quickAgent,
    shareCookies: async () => {
      if (pageAgent.cookieJar && quickAgent.useCookies) quickAgent.useCookies(await pageAgent.cookieJar());
    },
    grants: { page: 0, cookies: 0 },
    siblings: new Map(),
    watch: { done: false },
    lastLists,
    quickDecisions: new Set(),
    assignedByRun,
    leftovers,
    newRecorder: (signal = parts.signal, transport = guarded) =>
      new Recorder(lastLists.guard(leftovers.guard(transport)), parts.validator, signal),
  };
}

/** Returns a session that sends nothing and moves no clock once the signal is aborted. */
export function sessionUntil(session: Session, signal: AbortSignal): Session {
  const { target, newRecorder } = session;
  return {
    ...session,
    target: { ...target, clock: target.clock && clockUntil(target.clock, signal) },
    newRecorder: (other = signal, transport?: Transport) => newRecorder(other, transport),
  };
}

function clockAfter(clock: TargetClock, act: () => void): TargetClock {
  return {
    ...clock,
    advance: async (seconds) => {
      act();
      await clock.advance(seconds);
    },
  };
}

function clockUntil(clock: TargetClock, signal: AbortSignal): TargetClock {
  return {
    ...clock,
    advance: async (seconds) => {
      if (signal.aborted) throw new Aborted(signal);
      await clock.advance(seconds);
    },
  };
}

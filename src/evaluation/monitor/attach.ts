import { GONE, type Transport, TransportFailure } from '../../http/exchange.ts';
import type { UserAgent } from '../../service/agent/user-agent.ts';
import { type ListReader, ownUsersOf, readList } from '../../service/flow/assigned-list.ts';
import type { Channel } from '../../service/flow/channels.ts';
import { unknownId } from '../../service/flow/never-issued.ts';
import type { Session } from '../../service/flow/session.ts';
import { applicationsOf, type Target } from '../../service/target.ts';
import type { MonitorEvent } from './events.ts';
import type { MonitoredTarget } from './model.ts';
import { type Learnt, Monitor } from './monitor.ts';

export interface MonitoredSession {
  readonly session: Session;
  readonly monitor: Monitor;
  /** @param channel another way to send the documented requests; one that cannot be sent so gets no answer */
  readonly during: (name: string, session: Session, channel?: Channel) => Session;
  /** Seconds on the target's clock, including the suite's moves. */
  readonly now: () => number;
  readonly unanswered: () => number;
  readonly requests: () => number;
}

/**
 * Evaluates everything sent through a session from now on, by checks, the smoke flow or probes, without further requests.
 * @param learnt another monitor's knowledge of the same service
 * @param also gets every event of the monitor
 */
export function attachMonitor(
  session: Session,
  learnt?: Learnt,
  also?: (event: MonitorEvent) => void,
): MonitoredSession {
  const { target, pageAgent, quickAgent } = session;
  const monitor = new Monitor(monitoredTarget(target), learnt);
  const take = (event: MonitorEvent) => {
    also?.(event);
    monitor.take(event);
  };
  take({ kind: 'lists-read', reader: readerFor(session), guesses: false });
  let advanced = 0;
  const real = target.clock?.standsStill !== true;
  const now = () => advanced + (real ? performance.now() / 1_000 : 0);
  let sent = 0;
  let unanswered = 0;

  const watched =
    (transport: Transport, during: string | undefined, channel?: Channel): Transport =>
    async (request, signal) => {
      const wire = channel === undefined ? request : channel.write(request);
      if (wire === undefined) throw new TransportFailure('not-sent', `not sent ${channel?.name}`);
      const how = channel && { channel: { name: channel.name, wire } };
      const id = sent++;
      const begun = performance.now();
      take({ kind: 'sent', id, at: now(), during, request, ...how, startedAt: Date.now() });
      try {
        const response = await transport(wire, signal);
        if (response.status === 429 || response.status >= 500) unanswered += 1;
        const told = response.status === GONE ? undefined : response;
        take({ kind: 'answered', id, response: told, durationMs: performance.now() - begun });
        return response;
      } catch (error) {
        unanswered += 1;
        take({ kind: 'answered', id, response: undefined, durationMs: performance.now() - begun });
        throw error;
      }
    };

  const watchedAgent = (agent: UserAgent, during: string | undefined): UserAgent => ({
    kind: agent.kind,
    authorize: async (url, options, recorder) => {
      const startedAt = Date.now();
      const outcome = await agent.authorize(url, options, recorder);
      const isGone = outcome.pages.some(({ status }) => status === GONE);
      const isSeen = agent.kind === 'page' || pageAgent.kind === 'cookies' || outcome.caught !== undefined;
      const conclusive = !isGone && isSeen;
      take({ kind: 'authorized', at: now(), during, url, options, outcome, conclusive, startedAt });
      return outcome;
    },
    createApplication: async (url, area, wanted, recorder) => {
      const shown = await agent.createApplication(url, area, wanted, recorder);
      take({ kind: 'application-created', shown, redirectUri: wanted.redirectUri });
      return shown;
    },
  });

  const parts = (during: string | undefined, channel?: Channel) => {
    const transport = watched(target.transport, during, channel);
    return {
      transport,
      newRecorder: (signal?: AbortSignal, other = transport) => session.newRecorder(signal, other),
      pageAgent: watchedAgent(pageAgent, during),
      quickAgent: watchedAgent(quickAgent, during),
    };
  };

  const { transport, ...rest } = parts(undefined);
  const findings: Session['findings'] = {
    count: () => monitor.findings.length,
    markUncertain: (from, to) => monitor.markUncertain(from, to),
    readLists: (requestStyle) =>
      take({ kind: 'lists-read', reader: readerFor({ ...session, requestStyle }), guesses: false }),
  };
  const monitoredSession: Session = {
    ...session,
    ...rest,
    target: { ...watchedTarget(target), transport },
    findings,
  };

  function watchedTarget(inner: Target): Target {
    const { clock, restoreAssignments } = inner;
    return {
      ...inner,
      ...(clock && {
        clock: {
          ...clock,
          advance: async (seconds: number) => {
            await clock.advance(seconds);
            advanced += seconds;
          },
        },
      }),
      ...(restoreAssignments && {
        restoreAssignments: async () => {
          await restoreAssignments();
          take({ kind: 'assignments-reset' });
        },
      }),
    };
  }

  return {
    session: monitoredSession,
    monitor,
    now,
    requests: () => sent,
    unanswered: () => unanswered,
    during: (name, present, channel) => {
      // A session with another transport, such as memory, stays unchanged.
      if (present.target.transport !== monitoredSession.target.transport) return present;
      const { transport: named, ...own } = parts(name, channel);
      const known = readerFor(present);
      take({ kind: 'lists-read', reader: known ?? byOwnUsers(present), guesses: known === undefined });
      return { ...present, ...own, target: { ...present.target, transport: named } };
    },
  };
}

/** Seconds: the longest answer time of a live target plus a margin. */
const LATE = 12;

/** Seconds of tolerance on a clock that stands still between moves. */
const STANDING_STILL = 0.5;

/** Returns undefined until the position of ids in lists is known. */
function readerFor({ requestStyle, target }: Session): ListReader | undefined {
  const { userIdPointer: pointer } = requestStyle;
  const { readsList: reader } = target;
  if (pointer === undefined && reader === undefined) return undefined;
  return (response) => readList(response, { pointer, reader, known: [] });
}

/** Finds ids by the suite's own users or by what looks like a record id, if the smoke flow saw no user listed. */
function byOwnUsers({ target }: Session): ListReader {
  const known = ownUsersOf(target);
  return (response) => readList(response, { known });
}

export function monitoredTarget(target: Target): MonitoredTarget {
  const { projects, users, lock } = target;
  return {
    authUrl: target.authUrl,
    baseUrl: target.baseUrl,
    applications: applicationsOf(target),
    projects,
    users,
    lock,
    unknownProjects: projects.map(unknownId),
    unknownUsers: users.map(unknownId),
    usualBodies: [target.assignRequest.body, target.unassignRequest.body],
    shared: target.shared,
    spreadSeconds: target.skewSeconds + (target.shared ? LATE : STANDING_STILL),
  };
}

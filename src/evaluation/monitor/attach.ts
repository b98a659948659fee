import { GONE, type Transport, TransportFailure, type WireResponse } from '../../http/exchange.ts';
import { isSettingMisfit, type UserAgent } from '../../service/agent/user-agent.ts';
import { type ListReader, ownUsersOf, readList } from '../../service/flow/assigned-list.ts';
import type { Channel } from '../../service/flow/channels.ts';
import { unknownId } from '../../service/flow/never-issued.ts';
import type { Session } from '../../service/flow/session.ts';
import { applicationsOf, type Target } from '../../service/target.ts';
import type { MonitorEvent } from './events.ts';
import { type LearntBehaviour, Monitor } from './monitor.ts';
import type { MonitoredTarget } from './token-model.ts';

export interface MonitoredSession {
  readonly session: Session;
  readonly monitor: Monitor;
  /** @param channel another way to send the documented requests; one that cannot be sent so gets no answer */
  readonly during: (name: string, session: Session, channel?: Channel) => Session;
  /** Reads lists as the smoke flow has found; by the suite's own users, if it saw none of them listed. */
  readonly readListsAsFound: (session: Session) => void;
  /** Seconds on the target's clock, including the suite's moves. */
  readonly now: () => number;
  readonly troubled: () => number;
  readonly requests: () => number;
}

/**
 * Evaluates everything sent through a session from now on, by checks, the smoke flow or probes, without further requests.
 * @param learnt another monitor's knowledge of the same service
 * @param also gets every event of the monitor
 */
export function attachMonitor(
  session: Session,
  learnt?: LearntBehaviour,
  also?: (event: MonitorEvent) => void,
): MonitoredSession {
  return new AttachedMonitor(session, learnt, also);
}

class AttachedMonitor implements MonitoredSession {
  readonly monitor: Monitor;
  readonly session: Session;
  readonly requests = () => this.#sent;
  readonly troubled = () => this.#troubled;
  readonly now = () => this.#advanced + (this.#isReal ? performance.now() / 1_000 : 0);
  #sent = 0;
  #troubled = 0;
  readonly #unwatched: Session;
  readonly #also: ((event: MonitorEvent) => void) | undefined;
  readonly #isReal: boolean;
  #advanced = 0;

  constructor(unwatched: Session, learnt?: LearntBehaviour, also?: (event: MonitorEvent) => void) {
    const { target } = unwatched;
    this.#unwatched = unwatched;
    this.#also = also;
    this.#isReal = target.clock?.standsStill !== true;
    this.monitor = new Monitor(monitoredTarget(target), learnt);
    this.#readLists(readerFor(unwatched), false);
    const { transport, ...parts } = this.#parts(undefined);
    this.session = {
      ...unwatched,
      ...parts,
      target: { ...this.#watchedTarget(target), transport },
      findings: {
        count: () => this.monitor.findings.length,
        markUncertain: (from, to) => this.monitor.markUncertain(from, to),
        readLists: (requestStyle) => this.#readLists(readerFor({ ...unwatched, requestStyle }), false),
      },
    };
  }

  readonly during = (name: string, present: Session, channel?: Channel): Session => {
    // A session with another transport, such as memory, stays unchanged.
    if (present.target.transport !== this.session.target.transport) return present;
    const { transport, ...parts } = this.#parts(name, channel);
    const known = readerFor(present);
    if (known !== undefined) this.#readLists(known, false);
    return { ...present, ...parts, target: { ...present.target, transport } };
  };

  readonly readListsAsFound = (present: Session): void => {
    const known = readerFor(present);
    this.#readLists(known ?? byOwnUsers(present), known === undefined);
  };

  #take(event: MonitorEvent): void {
    this.#also?.(event);
    this.monitor.take(event);
  }

  #readLists(reader: ListReader | undefined, guesses: boolean): void {
    this.#take({ kind: 'lists-read', reader, guesses });
  }

  #parts(during: string | undefined, channel?: Channel) {
    const { target, pageAgent, quickAgent } = this.#unwatched;
    const transport = this.#watched(target.transport, during, channel);
    return {
      transport,
      pageAgent: this.#watchedAgent(pageAgent, during),
      quickAgent: this.#watchedAgent(quickAgent, during),
    };
  }

  #watched(transport: Transport, during: string | undefined, channel?: Channel): Transport {
    return async (request, signal) => {
      const wire = channel === undefined ? request : channel.write(request);
      if (wire === undefined) throw new TransportFailure('not-sent', `not sent ${channel?.name}`);
      const how = channel && { channel: { name: channel.name, wire } };
      const id = this.#sent++;
      const begun = performance.now();
      this.#take({ kind: 'sent', id, at: this.now(), during, request, ...how, startedAt: Date.now() });
      const answered = (response: WireResponse | undefined) =>
        this.#take({ kind: 'answered', id, response, durationMs: performance.now() - begun });
      try {
        const response = await transport(wire, signal);
        if (response.status === 429 || response.status >= 500) this.#troubled += 1;
        answered(response.status === GONE ? undefined : response);
        return response;
      } catch (error) {
        this.#troubled += 1;
        answered(undefined);
        throw error;
      }
    };
  }

  #watchedAgent(agent: UserAgent, during: string | undefined): UserAgent {
    return {
      kind: agent.kind,
      authorize: async (url, options, recorder) => {
        const startedAt = Date.now();
        const outcome = await agent.authorize(url, options, recorder);
        const isGone = outcome.pages.some(({ status }) => status === GONE);
        const isProven = options.elsewhere?.proven === true;
        const isByPages = agent.kind === 'page' || this.#unwatched.pageAgent.kind === 'cookies' || isProven;
        // A page that no setting fits, such as a notice, refuses nothing.
        const isMisread = isSettingMisfit(outcome.cause);
        const conclusive = !isGone && (outcome.caught !== undefined || (isByPages && !isMisread));
        this.#take({
          kind: 'authorized',
          at: this.now(),
          during,
          url,
          options,
          outcome,
          conclusive,
          startedAt,
        });
        return outcome;
      },
      createApplication: async (url, area, wanted, recorder) => {
        const shown = await agent.createApplication(url, area, wanted, recorder);
        this.#take({ kind: 'application-created', shown, redirectUri: wanted.redirectUri });
        return shown;
      },
    };
  }

  #watchedTarget(inner: Target): Target {
    const { clock, restoreAssignments } = inner;
    return {
      ...inner,
      ...(clock && {
        clock: {
          ...clock,
          advance: async (seconds: number) => {
            await clock.advance(seconds);
            this.#advanced += seconds;
          },
        },
      }),
      ...(restoreAssignments && {
        restoreAssignments: async () => {
          await restoreAssignments();
          this.#take({ kind: 'assignments-reset' });
        },
      }),
    };
  }
}

/** Seconds by which the ages of a live target's tokens and codes may differ from the suite's. */
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

/** Finds ids by the suite's own users or by what looks like a record id. */
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
    isLive: target.isLive,
    spreadSeconds: target.skewSeconds + (target.isLive ? LATE : STANDING_STILL),
  };
}

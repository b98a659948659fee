import { isBusy, type Transport, TransportFailure, unlessAborted } from './exchange.ts';
import { type ClientCredentials, isCleanUp, Ledger, type RequestBudget } from './ledger.ts';
import { LONGEST_HOLD_MS, Pace, type PaceClock, pacedTransport, REAL_CLOCK } from './paced-transport.ts';
import type { Unreached } from './unreachable.ts';

/** Counts, paces and limits all requests of a run to a shared service. Stops when the budget is spent or the service is down. */
export class Traffic extends Ledger {
  readonly #pace: Pace;
  readonly #minutes: MinuteLimits;
  readonly #circuit = new Circuit(() => this.used.requests);

  constructor(
    budget: RequestBudget,
    requestsPerSecond: number,
    own: readonly ClientCredentials[],
    clock: PaceClock = REAL_CLOCK,
    perMinute: PerMinute = {},
  ) {
    super(budget, own, () => clock.now());
    this.#pace = new Pace(requestsPerSecond, clock);
    this.#minutes = new MinuteLimits(perMinute, clock);
  }

  rule(wire: Transport): Transport {
    return this.#circuit.guard(pacedTransport(this.#minutes.limit(this.guard(wire)), this.#pace));
  }

  room(count: number): Promise<void> {
    return this.#pace.room(count);
  }

  /** Resolves when the browser may open a page. Rejects with a transport failure if it may not. */
  async browserTurn(): Promise<void> {
    this.#circuit.demandClosed();
    this.admitBrowser();
    await this.#pace.turn();
    await this.#minutes.turn('GET');
  }

  /** Limits of the service that begin again only after a wait that the suite does not take. */
  get longLimits(): Pace['limits'] {
    return this.#pace.limits.filter(({ resetMs }) => resetMs > LONGEST_HOLD_MS);
  }

  /** Addresses that did not answer the last requests, at least so many. */
  unreached(times = 2): readonly Unreached[] {
    return this.#circuit.unreached(times);
  }

  override browserRequested(): void {
    super.browserRequested();
    this.#pace.spend();
  }
}

/** Consecutive requests without a usable answer that open the circuit. */
const UNANSWERED_IN_A_ROW = 6;

const TOO_FAST = 'status 429; `pacing` sets how fast the suite sends';

/** Stops sending to a service that does not answer. Still tries to unassign; an answer to that closes the circuit. */
class Circuit {
  /** By origin: with one of two addresses gone, answers of the other would hide that. */
  readonly #missed = new Map<string, Unreached & { readonly times: number; readonly answered: boolean }>();
  readonly #sent: () => number;

  constructor(sent: () => number) {
    this.#sent = sent;
  }

  unreached(least: number): readonly Unreached[] {
    return [...this.#missed.values()].filter(({ times, answered }) => times >= least && !answered);
  }

  demandClosed(): void {
    const open = [...this.#missed.values()].find(({ times }) => times >= UNANSWERED_IN_A_ROW);
    if (open === undefined) return;
    throw new TransportFailure(
      'not-sent',
      `not sent: the last ${UNANSWERED_IN_A_ROW} requests got no usable answer (${open.failure.message}), so the suite sends the service nothing more`,
      { cause: open.failure },
    );
  }

  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (!isCleanUp(request)) this.demandClosed();
      const { origin } = new URL(request.url);
      try {
        const response = await inner(request, signal);
        const { status } = response;
        const busy = status === 429 ? TOO_FAST : `status ${status}`;
        if (isBusy(status)) this.#miss(origin, new TransportFailure('connection', busy), true);
        else this.#missed.delete(origin);
        return response;
      } catch (error) {
        if (error instanceof TransportFailure && error.kind !== 'not-sent') this.#miss(origin, error, false);
        throw error;
      }
    };
  }

  #miss(origin: string, failure: TransportFailure, answered: boolean): void {
    const { times = 0, since = this.#sent() } = this.#missed.get(origin) ?? {};
    this.#missed.set(origin, { origin, failure, answered, since, times: times + 1 });
  }
}

/**
 * Sends several requests at once. On a paced target it waits until all may go in the same moment, because requests some hundred
 * milliseconds apart never overlap. Each function sends one request, or begins with one.
 */
export async function atOnce<T extends readonly unknown[]>(
  { traffic }: { readonly traffic?: Traffic },
  sends: readonly [...{ [K in keyof T]: () => Promise<T[K]> }],
): Promise<T> {
  await traffic?.room(sends.length);
  const sent = sends.map((send) => send());
  // No request outlives the check that sent it.
  await Promise.allSettled(sent);
  return (await Promise.all(sent)) as unknown as T;
}

/** Maximum number of requests in any 60 seconds, by method; no limit for a method without a number. */
type PerMinute = Readonly<Partial<Record<string, number>>>;

const MINUTE_MS = 60_000;

/** Delays requests so that no more of a method than {@link PerMinute} allows are sent in any minute. */
export class MinuteLimits {
  readonly #perMinute: PerMinute;
  readonly #clock: PaceClock;
  /** By method, the moments of its last requests in milliseconds, as many as its limit. */
  readonly #sent = new Map<string, number[]>();

  constructor(perMinute: PerMinute, clock: PaceClock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  limit(inner: Transport): Transport {
    return async (request, signal) => {
      await this.turn(request.method, signal);
      return inner(request, signal);
    };
  }

  /** Counts a request, and resolves when it may be sent. */
  async turn(method: string, signal?: AbortSignal): Promise<void> {
    const waitMs = this.reserve(method);
    if (waitMs > 0) await unlessAborted(this.#clock.sleep(waitMs), signal);
  }

  /** Counts a request and returns the milliseconds to wait before it is sent. */
  reserve(method: string): number {
    const most = this.#perMinute[method];
    if (most === undefined) return 0;
    const sent = this.#sent.get(method) ?? [];
    const now = this.#clock.now();
    const oldest = sent.length < most ? undefined : sent.shift();
    const start = oldest === undefined ? now : Math.max(now, oldest + MINUTE_MS);
    this.#sent.set(method, [...sent, start]);
    return start - now;
  }
}

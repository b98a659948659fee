import {
  headerOf,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from './exchange.ts';

/** Where pacing takes the time from, and how it waits. Milliseconds. */
export interface PaceClock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

const REAL_CLOCK: PaceClock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Longest time, in milliseconds, that a `Retry-After` is waited for. A check has to end at some point. */
export const LONGEST_HOLD_MS = 30_000;

/** Methods whose repetition has no further effect (RFC 9110 section 9.2.2). A token request is none of them. */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const READS = new Set(['GET', 'HEAD']);

/**
 * A transport that goes easy on a service that others use too:
 *
 * - not more than `requestsPerSecond` on average; as many at once after a pause, so that checks of simultaneous requests
 *   keep their meaning;
 * - 429 with `Retry-After` (RFC 9110 section 10.2.3): nobody sends anything until then, or for {@link LONGEST_HOLD_MS};
 *   then the request is repeated once, but never a POST: a code or a refresh token may be spent by then;
 * - a read whose connection failed is repeated once.
 */
export function pacedTransport(
  inner: Transport,
  requestsPerSecond: number,
  clock: PaceClock = REAL_CLOCK,
): Transport {
  const pace = new Pace(requestsPerSecond, clock);
  const send = async (request: WireRequest) => {
    await pace.turn();
    return inner(request);
  };
  return async (request) => {
    const response = await withSecondChance(send, request);
    const waitMs = retryAfterMs(response);
    if (waitMs === undefined) return response;
    pace.hold(Math.min(waitMs, LONGEST_HOLD_MS));
    return REPEATABLE.has(request.method) ? send(request) : response;
  };
}

async function withSecondChance(send: Transport, request: WireRequest): Promise<WireResponse> {
  try {
    return await send(request);
  } catch (error) {
    const lost = error instanceof TransportFailure && error.kind === 'connection';
    if (!lost || !READS.has(request.method)) throw error;
    return send(request);
  }
}

/** Milliseconds that a 429 asks to wait; undefined when it is none, or does not say. */
function retryAfterMs(response: WireResponse): number | undefined {
  if (response.status !== 429) return undefined;
  const value = headerOf(response, 'retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** A token bucket: says when the next request may go. */
class Pace {
  readonly #clock: PaceClock;
  readonly #intervalMs: number;
  /** How far ahead of an even spacing a request may go. */
  readonly #aheadMs: number;
  /** When the next request would go if all were evenly spaced. */
  #even = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(requestsPerSecond: number, clock: PaceClock) {
    this.#clock = clock;
    this.#intervalMs = 1_000 / requestsPerSecond;
    this.#aheadMs = this.#intervalMs * (Math.max(1, Math.floor(requestsPerSecond)) - 1);
  }

  /** Resolves when the caller may send. */
  async turn(): Promise<void> {
    const now = this.#clock.now();
    const start = Math.max(now, this.#even - this.#aheadMs);
    this.#even = Math.max(this.#even, start) + this.#intervalMs;
    if (start > now) await this.#clock.sleep(start - now);
    while (this.#heldUntil > this.#clock.now()) await this.#clock.sleep(this.#heldUntil - this.#clock.now());
  }

  /** Lets nobody send for a time; afterwards requests are evenly spaced again. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
    this.#even = Math.max(this.#even, this.#heldUntil + this.#aheadMs);
  }
}

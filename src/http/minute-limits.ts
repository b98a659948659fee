import { type Transport, unlessAborted } from './exchange.ts';
import type { PaceClock } from './paced-transport.ts';

/** Maximum number of requests in any 60 seconds, by method; no limit for a method without a number. */
export type PerMinute = Readonly<Partial<Record<string, number>>>;

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
      const waitMs = this.reserve(request.method);
      if (waitMs > 0) await unlessAborted(this.#clock.sleep(waitMs), signal);
      return inner(request, signal);
    };
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

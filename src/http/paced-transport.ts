import {
  headerOf,
  READS,
  type Transport,
  TransportFailure,
  unlessAborted,
  type WireRequest,
  type WireResponse,
} from './exchange.ts';
import { isCleanUp } from './ledger.ts';

export interface PaceClock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const REAL_CLOCK: PaceClock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Maximum wait for a `Retry-After`, in milliseconds: rates usually count per minute, and a check must end. */
export const LONGEST_HOLD_MS = 120_000;

const PAUSE_MS = 1_000;

function throttled(seconds: number): TransportFailure {
  const limit = `Retry-After exceeds the limit of ${LONGEST_HOLD_MS / 1_000} s`;
  return new TransportFailure(
    'not-sent',
    `not sent: the target asked to wait another ${seconds} s, and ${limit}; have it lift its limit for the suite`,
  );
}

/**
 * A transport that limits the load on a shared service:
 * - Sends at most `requestsPerSecond` on average; as many at once after a pause, so that checks can send simultaneous requests.
 * - After a 429, or a 503 with `Retry-After` (RFC 9110 section 10.2.3), all requests wait; then the request is repeated once: the
 * service has not done it.
 * - After an answer that says that no request is left ({@link limitIn}), all requests wait, at most
 * {@link LONGEST_HOLD_MS}. A 429 that says so counts as one with `Retry-After`.
 * - After a `Retry-After` of more than {@link LONGEST_HOLD_MS}, repeats nothing, and requests are not sent until
 * then. Unassigning is still tried, as late as possible.
 * - Repeats a read once if its connection failed; after {@link PAUSE_MS} also for a 502, 503 or 504.
 */
export function pacedTransport(inner: Transport, pace: Pace): Transport {
  return async (request, signal) => {
    const send = async () => {
      await unlessAborted(pace.turn(isCleanUp(request)), signal);
      return pace.within(request.method, () => inner(request, signal), signal);
    };
    const response = await withSecondChance(send, request);
    const { status } = response;
    const stated = limitIn(response);
    const exhausted = stated?.left === 0 ? stated.resetMs : undefined;
    const waitMs =
      retryAfterMs(response) ??
      (status === 429 ? (exhausted ?? PAUSE_MS) : undefined) ??
      (READS.has(request.method) && [502, 503, 504].includes(status) ? PAUSE_MS : undefined);
    if (waitMs === undefined) {
      if (exhausted !== undefined) pace.hold(Math.min(exhausted, LONGEST_HOLD_MS));
      return response;
    }
    pace.hold(waitMs);
    return waitMs <= LONGEST_HOLD_MS ? send() : response;
  };
}

async function withSecondChance(
  send: () => Promise<WireResponse>,
  request: WireRequest,
): Promise<WireResponse> {
  try {
    return await send();
  } catch (error) {
    const lost = error instanceof TransportFailure && error.kind === 'connection';
    if (!lost || !READS.has(request.method)) throw error;
    return send();
  }
}

/** Returns the milliseconds in the `Retry-After` of a 429 or 503; undefined otherwise. */
export function retryAfterMs(response: Pick<WireResponse, 'status' | 'headers'>): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined;
  const value = headerOf(response, 'retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

export class Pace {
  readonly #clock: PaceClock;
  readonly #intervalMs: number;
  readonly #aheadMs: number;
  #even = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** When urgent requests go in spite of a hold that is too long. */
  #urgentAt: number | undefined;
  #together = 0;
  /** By method, what the service has said of its limit: requests left until a moment. */
  readonly #limits = new Map<string, { readonly left: number; readonly until: number }>();

  readonly #underWay = new Map<string, number>();

  constructor(requestsPerSecond: number, clock: PaceClock = REAL_CLOCK) {
    this.#clock = clock;
    this.#intervalMs = 1_000 / requestsPerSecond;
    this.#aheadMs = this.#intervalMs * (Math.max(1, Math.floor(requestsPerSecond)) - 1);
  }

  /**
   * Resolves when the caller may send. Rejects if that is too far away.
   * @param urgent never rejects; all urgent ones together wait at most {@link LONGEST_HOLD_MS} for a hold to end
   */
  async turn(urgent = false): Promise<void> {
    const heldMs = this.#heldUntil - this.#clock.now();
    if (heldMs > LONGEST_HOLD_MS) {
      if (!urgent) throw throttled(Math.ceil(heldMs / 1_000));
      // One wait is enough for all of them.
      this.#urgentAt ??= this.#clock.now() + LONGEST_HOLD_MS;
      return this.#clock.sleep(Math.max(0, this.#urgentAt - this.#clock.now()));
    }
    const now = this.#clock.now();
    const start = this.#together > 0 ? now : this.#next;
    this.#together = Math.max(0, this.#together - 1);
    this.#take(start);
    if (start > now) await this.#clock.sleep(start - now);
    while (this.#heldUntil > this.#clock.now()) await this.#clock.sleep(this.#heldUntil - this.#clock.now());
  }

  /**
   * Resolves when this many requests may go at once, after a pause as long as they would take one by one, and when the service has
   * said that fewer are left, after its limit has begun again. A rate below the count adds a pause afterwards.
   */
  async room(count: number): Promise<void> {
    for (const { left, until } of this.#limits.values()) {
      const ms = until - this.#clock.now();
      if (left < count && ms > 0 && ms <= LONGEST_HOLD_MS) this.hold(ms);
    }
    const spanMs = this.#intervalMs * (count - 1);
    const waitMs = this.#even + spanMs - this.#aheadMs - this.#clock.now();
    if (waitMs > 0) await this.#clock.sleep(waitMs);
    this.#together = spanMs > this.#aheadMs ? count : 0;
  }

  /** Returns what the service has said of its limits: by method, requests left until a moment from now, in milliseconds. */
  get limits(): readonly (ServiceLimit & { readonly method: string })[] {
    const now = this.#clock.now();
    return [...this.#limits].map(([method, { left, until }]) => ({ method, left, resetMs: until - now }));
  }

  /** Counts a request that did not wait. */
  spend(): void {
    this.#take(this.#next);
  }

  get #next(): number {
    return Math.max(this.#clock.now(), this.#even - this.#aheadMs);
  }

  #take(start: number): void {
    this.#even = Math.max(this.#even, start) + this.#intervalMs;
  }

  /** Sends a request of a method when fewer are under way than the service has said to be left. */
  async within(
    method: string,
    send: () => Promise<WireResponse>,
    signal?: AbortSignal,
  ): Promise<WireResponse> {
    const underWay = () => this.#underWay.get(method) ?? 0;
    for (let limit = this.#limits.get(method); limit !== undefined; limit = this.#limits.get(method)) {
      const ms = limit.until - this.#clock.now();
      if (underWay() < limit.left || ms <= 0 || ms > LONGEST_HOLD_MS) break;
      await unlessAborted(this.#clock.sleep(ms), signal);
    }
    this.#underWay.set(method, underWay() + 1);
    try {
      const response = await send();
      const stated = limitIn(response);
      if (stated) this.#limits.set(method, { left: stated.left, until: this.#clock.now() + stated.resetMs });
      return response;
    } finally {
      this.#underWay.set(method, underWay() - 1);
    }
  }

  /** Blocks all requests for a time; afterwards they are evenly spaced again. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
    this.#even = Math.max(this.#even, this.#heldUntil + this.#aheadMs);
  }
}

/** Smallest value of a reset header that counts as a moment in seconds since the epoch, not as a number of seconds. */
const EPOCH_SECONDS = 1_000_000_000;

interface ServiceLimit {
  /** Requests that may still be sent. */
  readonly left: number;
  /** Milliseconds until the limit begins again. */
  readonly resetMs: number;
}

/**
 * Returns a service's limit with the fewest requests left, if its headers name one: `RateLimit` and `RateLimit-*` (drafts of
 * draft-ietf-httpapi-ratelimit-headers) and `X-RateLimit-*`.
 */
export function limitIn(response: WireResponse, nowMs: number = Date.now()): ServiceLimit | undefined {
  const limits: ServiceLimit[] = [];
  const add = (left: number | undefined, resetMs: number | undefined) => {
    if (left !== undefined && resetMs !== undefined) limits.push({ left, resetMs });
  };
  const whole = headerOf(response, 'ratelimit') ?? '';
  for (const policy of whole.includes('remaining=') ? [whole] : whole.split(',')) {
    const reset = numberIn(/(?:^|[;,\s])(?:t|reset)\s*=\s*(\d+)/.exec(policy)?.[1]);
    add(numberIn(/(?:^|[;,\s])(?:r|remaining)\s*=\s*(\d+)/.exec(policy)?.[1]), reset && reset * 1_000);
  }
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    const reset = numberIn(headerOf(response, `${prefix}-reset`)) ?? Number.NaN;
    const resetMs = reset < EPOCH_SECONDS ? reset * 1_000 : Math.max(0, reset * 1_000 - nowMs);
    add(numberIn(headerOf(response, `${prefix}-remaining`)), Number.isNaN(resetMs) ? undefined : resetMs);
  }
  return limits.toSorted((a, b) => a.left - b.left)[0];
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}

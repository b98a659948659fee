import type { Endpoint } from './policy.ts';

/** What a fault does: another status, HTML with a status, a reset connection, no answer ever, half of the body. */
export const FAULT_KINDS = ['status', 'html', 'reset', 'stall', 'truncate'] as const;

/** The endpoints that a fault can hit; `any` is all of them. */
export const FAULT_ROUTES = ['any', 'authorize', 'token', 'assign', 'unassign', 'list', 'page'] as const;

/** "The next `count` requests to this route get …". */
export interface Fault {
  readonly route: (typeof FAULT_ROUTES)[number];
  readonly count: number;
  readonly kind: (typeof FAULT_KINDS)[number];
  /** For `status` and `html`; 503 unless told. */
  readonly status?: number;
  /** Seconds for a `Retry-After` header, for `status` and `html`. */
  readonly retryAfter?: number;
  /**
   * Whether the request takes effect first: an answer that is lost on its way, rather than a request that is. A truncated
   * answer always does.
   */
  readonly afterEffect?: boolean;
}

/** The faults that are armed, in the order armed: each hits its number of requests and is gone. */
export class Faults {
  #armed: Fault[] = [];

  /**
   * Arms a fault.
   *
   * @throws RangeError when the count or the status is out of range
   */
  arm(fault: Fault): void {
    if (!Number.isSafeInteger(fault.count) || fault.count < 1) {
      throw new RangeError(`Fault, count: expected a whole number from 1, got ${fault.count}.`);
    }
    const { status = 503 } = fault;
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`Fault, status: expected 400 to 599, got ${fault.status}.`);
    }
    this.#armed = [...this.#armed, fault];
  }

  /** The faults still armed, with the number of requests that each has left. */
  armed(): readonly Fault[] {
    return this.#armed;
  }

  /** Disarms all. */
  clear(): void {
    this.#armed = [];
  }

  /** Takes the fault that hits a request to this endpoint, if one does. */
  take(endpoint: Endpoint): Fault | undefined {
    if (this.#armed.length === 0) return undefined;
    const index = this.#armed.findIndex(({ route }) => route === 'any' || route === endpoint);
    const fault = this.#armed[index];
    if (fault === undefined) return undefined;
    this.#armed =
      fault.count > 1
        ? this.#armed.with(index, { ...fault, count: fault.count - 1 })
        : this.#armed.toSpliced(index, 1);
    return fault;
  }
}

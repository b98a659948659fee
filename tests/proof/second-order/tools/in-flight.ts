import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds that a request is in flight: enough for requests sent at once to meet. */
const FLIGHT_MS = 5;

/** One request, while it is in flight and after. */
export interface Flight<T> {
  readonly what: T;
  /** Number of others in flight when it began. */
  readonly ahead: number;
  /** Those that were in flight at the same time at some moment. */
  readonly met: ReadonlySet<Flight<T>>;
  readonly over: boolean;
}

/** Requests in flight, which meet those that are in flight with them. */
export class InFlight<T> {
  readonly #flying = new Set<MutableFlight<T>>();

  /** Those in flight now. */
  now(): readonly Flight<T>[] {
    return [...this.#flying];
  }

  /** Flies for a while. Resolves when the flight is over. */
  async fly(what: T): Promise<Flight<T>> {
    const flight: MutableFlight<T> = { what, ahead: this.#flying.size, met: new Set(), over: false };
    for (const other of this.#flying) {
      other.met.add(flight);
      flight.met.add(other);
    }
    this.#flying.add(flight);
    await pause(FLIGHT_MS);
    this.#flying.delete(flight);
    flight.over = true;
    return flight;
  }
}

interface MutableFlight<T> {
  readonly what: T;
  readonly ahead: number;
  readonly met: Set<MutableFlight<T>>;
  over: boolean;
}

/** True if a flight met another with this property. */
export function met<T>(flight: Flight<T>, is: (other: T, flight: Flight<T>) => boolean): boolean {
  return [...flight.met].some((other) => is(other.what, other));
}

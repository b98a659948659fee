import { once } from 'node:events';
import { validateArmHold } from '../../../generated/control-validators.js';
import type { ArmedHold, Hold, HoldControl, HoldEnd, JournalEntry } from '../control/control-types.ts';
import type { SentRequest } from '../journal/sent.ts';
import { checkFits } from '../policy/check-fits.ts';
import type { Service } from '../service.ts';
import { checkFilter, matchesFilter } from './request-filter.ts';

/** Default limit of a hold in milliseconds, from the first waiting request. */
const LIMIT = 10_000;

type Held = NonNullable<JournalEntry['held']>;

class ArmedHoldState {
  readonly id: string;
  readonly hold: Hold;
  readonly limitMs: number;
  readonly phase: NonNullable<Hold['phase']>;
  releasedBy: HoldEnd | undefined;
  taken = 0;
  #waiting = 0;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #end = Promise.withResolvers<HoldEnd>();
  readonly ended = this.#end.promise;

  constructor(id: string, hold: Hold) {
    this.id = id;
    this.hold = hold;
    this.limitMs = hold.limitMs ?? LIMIT;
    this.phase = hold.phase ?? 'answer';
  }

  /** Waits until the hold is released. If `gone` aborts, the request no longer counts as waiting. */
  async wait(gone: AbortSignal): Promise<Held> {
    const begun = performance.now();
    this.#waiting += 1;
    this.#held += 1;
    this.#timer ??= setTimeout(() => this.release('time-limit'), this.limitMs);
    if (this.#waiting === this.hold.until) this.release('count');
    const releasedBy = await Promise.race([this.ended, whenAborted(gone)]);
    this.#waiting -= 1;
    return { id: this.id, milliseconds: Math.round(performance.now() - begun), releasedBy };
  }

  release(end: HoldEnd): void {
    if (this.releasedBy !== undefined) return;
    this.releasedBy = end;
    clearTimeout(this.#timer);
    this.#end.resolve(end);
  }

  shown(): ArmedHold {
    return {
      ...this.hold,
      id: this.id,
      limitMs: this.limitMs,
      phase: this.phase,
      waiting: this.#waiting,
      held: this.#held,
      releasedBy: this.releasedBy,
    };
  }
}

/** The holds since the last reset. A released one holds no further request. */
export class Holds implements HoldControl {
  readonly #service: Service;
  #all: readonly ArmedHoldState[] = [];
  #count = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  get idle(): boolean {
    return this.#all.every(({ releasedBy }) => releasedBy !== undefined);
  }

  arm(hold: Hold): ArmedHold {
    checkFits('hold', validateArmHold, hold);
    checkFilter(hold, this.#service);
    this.#count += 1;
    const armed = new ArmedHoldState(`hold#${this.#count}`, hold);
    this.#all = [...this.#all, armed];
    return armed.shown();
  }

  list(): readonly ArmedHold[] {
    return this.#all.map((hold) => hold.shown());
  }

  release(id?: string): void {
    const chosen = id === undefined ? this.#all : [this.#known(id)];
    for (const hold of chosen) hold.release('call');
  }

  ended(id: string): Promise<HoldEnd> {
    return this.#known(id).ended;
  }

  clear(): void {
    this.#let('call');
  }

  /** Releases and forgets every hold, and restarts the count at 1: the emulator is reset or closed. */
  reset(): void {
    this.#let('closed');
    this.#count = 0;
  }

  take(sent: SentRequest): ArmedHoldState | undefined {
    const found = this.#all.find(
      ({ releasedBy, taken, hold }) =>
        releasedBy === undefined &&
        taken < (hold.count ?? Number.POSITIVE_INFINITY) &&
        matchesFilter(hold, sent, this.#service),
    );
    if (found !== undefined) found.taken += 1;
    return found;
  }

  #let(end: HoldEnd): void {
    for (const hold of this.#all) hold.release(end);
    this.#all = [];
  }

  #known(id: string): ArmedHoldState {
    const found = this.#all.find((hold) => hold.id === id);
    if (found !== undefined) return found;
    const ids = this.#all.map((hold) => hold.id).join(', ') || 'none';
    throw new RangeError(`Hold, id: expected one of ${ids}, got ${id}.`);
  }
}

export async function whenAborted(signal: AbortSignal): Promise<'client-gone'> {
  if (!signal.aborted) await once(signal, 'abort');
  return 'client-gone';
}

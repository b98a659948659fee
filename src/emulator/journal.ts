import type { HeaderLine } from './answer.ts';
import type { Endpoint } from './policy.ts';
import type { Refusal } from './refusal.ts';

/** How many requests the journal remembers. */
const KEPT = 1_000;

/** A request that a client sent, and what came of it. Holds secrets: shown in-process and behind the control token only. */
export interface JournalEntry {
  /** Counts all requests since the last reset, from 1. */
  readonly sequence: number;
  /** The emulator's time, in seconds since the epoch. */
  readonly at: number;
  readonly endpoint: Endpoint;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: string;
  /** Status of the answer; absent when a fault kept it back. */
  readonly status?: number;
  readonly refusal?: Refusal;
  /** Kind of the fault that hit the request. */
  readonly fault?: string;
}

/** What is known when a request is recorded: the headers are read out only when somebody looks. */
export interface JournalRecord extends Omit<JournalEntry, 'sequence' | 'headers'> {
  readonly headers: () => readonly HeaderLine[];
}

/** What clients sent, newest last. */
export class Journal {
  readonly #ring: { readonly sequence: number; readonly record: JournalRecord }[] = [];
  #count = 0;

  /** Remembers a request, and forgets the oldest when there are too many. */
  record(record: JournalRecord): void {
    const slot = this.#count % KEPT;
    this.#count += 1;
    this.#ring[slot] = { sequence: this.#count, record };
  }

  /** The requests remembered, oldest first. */
  entries(): readonly JournalEntry[] {
    const start = this.#count > KEPT ? this.#count % KEPT : 0;
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)].map(({ sequence, record }) => ({
      sequence,
      ...record,
      headers: record.headers(),
    }));
  }

  /** Forgets everything. */
  clear(): void {
    this.#ring.length = 0;
    this.#count = 0;
  }
}

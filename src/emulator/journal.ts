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
  /** Status of the answer that was made, also where a fault lost it on its way; absent when the fault hit before. */
  readonly status?: number;
  readonly refusal?: Refusal;
  /** Kind of the fault that hit the request. */
  readonly fault?: string;
}

/** What is known when a request is recorded: the headers are paired only when somebody looks. */
export interface JournalRecord extends Omit<JournalEntry, 'sequence' | 'headers'> {
  /** Names and values in turns. Not the request that had them: it would be kept alive for as long as the record is. */
  readonly rawHeaders: readonly string[];
}

/** What clients sent, newest last. */
export class Journal {
  readonly #ring: JournalRecord[] = [];
  #count = 0;

  /** Remembers a request, and forgets the oldest when there are too many. */
  record(record: JournalRecord): void {
    this.#ring[this.#count % KEPT] = record;
    this.#count += 1;
  }

  /** The requests remembered, oldest first. */
  entries(): readonly JournalEntry[] {
    const start = this.#count > KEPT ? this.#count % KEPT : 0;
    const forgotten = this.#count - this.#ring.length;
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)].map(
      ({ rawHeaders, ...record }, index) => ({
        sequence: forgotten + index + 1,
        ...record,
        headers: linesOf(rawHeaders),
      }),
    );
  }

  /** Forgets everything. */
  clear(): void {
    this.#ring.length = 0;
    this.#count = 0;
  }
}

function linesOf(rawHeaders: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    lines.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return lines;
}

import { headerLines } from '../../http/exchange.ts';
import type {
  ArmedFault,
  JournalControl,
  JournalEntry,
  JournalPage,
  JournalWait,
  PendingRequest,
} from '../control/control-types.ts';
import type { Refusal } from '../refusal.ts';
import type { RequestOutcome } from '../request.ts';
import type { Service } from '../service.ts';
import { Labels } from './labels.ts';
import { identitiesOf, readSent, type SentRequest } from './sent.ts';

/** Default number of requests that a journal keeps. */
const JOURNAL_LIMIT = 10_000;

/** Enough without a reader. 10,000 cost 250 MB in a run of a million refreshes, because V8 collects old objects late. */
export const SHORT_JOURNAL = 1_000;

/** Seconds, at most, that {@link Journal.wait} waits. */
export const LONGEST_WAIT = 60;

/** Marks by the client id of an application, or {@link EVERY_APPLICATION}. Replaced as a whole, so that records share it. */
type MarkByApplication = ReadonlyMap<string, string>;

const EVERY_APPLICATION = '';

/** Returns the application's own mark, else the mark for every application. */
function markFor(marks: MarkByApplication, application = EVERY_APPLICATION): string | undefined {
  return marks.get(application) ?? marks.get(EVERY_APPLICATION);
}

/** A request's record while it is served. Holds no request, socket or answer, which would stay alive as long as the record. */
export interface JournalRecord extends SentRequest {
  readonly arrival: number;
  /** Number of resets of the journal before. */
  readonly resets: number;
  /** Real milliseconds since the journal was opened. */
  readonly arrivedMs: number;
  /** The marks at arrival. The application is known only when the journal is read. */
  readonly marks: MarkByApplication;
  /** The emulator's time, in seconds since the epoch. */
  readonly at: number;
  readonly connection: number | undefined;
  readonly method: string;
  readonly outcome: RequestOutcome;
  answeredMs: number;
  status: number | undefined;
  refusal: Refusal | undefined;
  clientGone: boolean;
  fault: Pick<ArmedFault, 'id' | 'kind'> | undefined;
  held: JournalEntry['held'];
}

type ReceivedRecord = Pick<
  JournalRecord,
  'at' | 'connection' | 'endpoint' | 'method' | 'target' | 'rawHeaders' | 'body' | 'outcome'
>;

export class Journal implements JournalControl {
  readonly #service: Service;
  readonly #limit: number;
  /** Origin of the real milliseconds, on the monotonic clock. */
  readonly #zero = performance.now();
  #ring: JournalRecord[] = [];
  #count = 0;
  #arrivals = 0;
  #resets = 0;
  #generation = 1;
  #marks: MarkByApplication = new Map();
  #labels: Labels;
  readonly #pending = new Map<JournalRecord, string>();
  readonly #waiting = new Set<() => void>();

  /** @param limit number of kept requests; the oldest are dropped first */
  constructor(service: Service, limit: number = JOURNAL_LIMIT) {
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000_000) {
      throw new RangeError(`journalLimit: expected a whole number from 1 to 1000000, got ${limit}.`);
    }
    this.#service = service;
    this.#limit = limit;
    this.#labels = new Labels(service);
  }

  arrived(request: ReceivedRecord): JournalRecord {
    this.#arrivals += 1;
    return {
      ...request,
      arrival: this.#arrivals,
      resets: this.#resets,
      arrivedMs: performance.now() - this.#zero,
      marks: this.#marks,
      answeredMs: 0,
      status: undefined,
      refusal: undefined,
      clientGone: false,
      fault: undefined,
      held: undefined,
    };
  }

  waits(record: JournalRecord, why: string): void {
    this.#pending.set(record, why);
  }

  /** Stores a request that was answered, or never will be. Drops the oldest above the limit. */
  answered(record: JournalRecord): void {
    if (this.#pending.size > 0) this.#pending.delete(record);
    // A request from before the last reset refers to records that no longer exist.
    if (record.resets !== this.#resets) return;
    record.answeredMs = performance.now() - this.#zero;
    this.#ring[this.#count % this.#limit] = record;
    this.#count += 1;
    if (this.#waiting.size > 0) this.#wake();
  }

  entries(): readonly JournalEntry[] {
    return this.page().entries;
  }

  page(since = 0, limit: number = Number.POSITIVE_INFINITY): JournalPage {
    const oldest = this.#count - this.#ring.length;
    // A reader that is ahead has read before the journal was cleared.
    const from = since > this.#count ? 0 : since;
    const first = Math.max(from, oldest);
    const end = Math.min(this.#count, first + limit);
    const entries: JournalEntry[] = [];
    for (let index = first; index < end; index += 1) {
      const record = this.#ring[index % this.#limit];
      if (record !== undefined) entries.push(entryOf(record, index + 1, this.#service, this.#labels));
    }
    return {
      entries,
      next: end,
      dropped: first - from,
      limit: this.#limit,
      generation: this.#generation,
      startedAt: performance.timeOrigin + this.#zero,
      pending: [...this.#pending].map(([record, why]) => pendingRequest(record, why)),
      expiresIn: this.#service.policy.lifetime.accessToken(undefined, this.#service.clock.now()),
    };
  }

  async wait(since: number, seconds: number, { limit, signal }: JournalWait = {}): Promise<JournalPage> {
    if (!(seconds >= 0 && seconds <= LONGEST_WAIT)) {
      throw new RangeError(`wait: expected 0 to ${LONGEST_WAIT} seconds, got ${seconds}.`);
    }
    if (since === this.#count && seconds > 0 && !signal?.aborted) await this.#news(seconds, signal);
    return this.page(since, limit);
  }

  clear(): void {
    this.#ring = [];
    this.#count = 0;
    this.#generation += 1;
    this.#wake();
  }

  reset(): void {
    this.#labels = new Labels(this.#service);
    this.#marks = new Map();
    this.#arrivals = 0;
    this.#resets += 1;
    this.clear();
  }

  mark(text: string | undefined, application = EVERY_APPLICATION): void {
    const marks = new Map(this.#marks);
    if (text === undefined) marks.delete(application);
    else marks.set(application, text);
    this.#marks = marks;
  }

  marked(application?: string): string | undefined {
    return markFor(this.#marks, application);
  }

  #news(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, seconds * 1_000);
      signal?.addEventListener('abort', end, { once: true });
      this.#waiting.add(end);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

function pendingRequest(record: JournalRecord, why: string): PendingRequest {
  const { arrival, arrivedMs, endpoint, method, marks, connection } = record;
  const mark = markFor(marks);
  return withoutUndefined({ arrival, arrivedMs, endpoint, method, mark, connection, why });
}

/** Converts a record to a journal entry: decoded, with secrets replaced by ordinals. */
function entryOf(record: JournalRecord, sequence: number, service: Service, labels: Labels): JournalEntry {
  const { resets, rawHeaders, outcome, fault, refusal, marks, ...same } = record;
  const presented = readSent(record);
  const { grant, user, application } = identitiesOf(presented, outcome, service);
  return withoutUndefined<JournalEntry>({
    sequence,
    ...same,
    mark: markFor(marks, application),
    arrivedMs: rounded(record.arrivedMs),
    answeredMs: rounded(record.answeredMs),
    headers: headerLines(rawHeaders),
    parameters: presented.parameters.map((parameter) => labels.parameter(parameter, presented)),
    grantType: presented.grantType,
    authentication: presented.authentication,
    presentation: presented.presentation,
    presented: withoutUndefined(labels.ordinals(presented)),
    issued: withoutUndefined(labels.ordinals(outcome)),
    grant: grant === undefined ? undefined : `grant#${grant.ordinal}`,
    user,
    application,
    effect: outcome.effect,
    refusal:
      refusal === undefined
        ? undefined
        : withoutUndefined({
            ...refusal,
            detail: labels.clean(refusal.detail, presented),
            resembles: labels.resembled(refusal, presented),
          }),
    fault: fault?.kind,
    faultId: fault?.id,
  });
}

/** Returns the object without the members that are undefined. */
function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

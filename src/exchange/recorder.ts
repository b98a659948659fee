import type { Exchange, Transport, Validation, WireRequest, WireResponse } from './exchange.ts';
import { Aborted, TransportFailure, unlessAborted } from './exchange.ts';

/** Something the user agent did or saw, not yet redacted. */
export interface AgentStep {
  readonly purpose: string;
  readonly url?: string;
  readonly status?: number;
  readonly detail?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export type RecordEntry =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'step'; readonly step: AgentStep };

/** Validates an answer against the schema that the specification has for it; undefined when it has none. */
export type Validator = (request: WireRequest, response: WireResponse) => Validation | undefined;

/**
 * Sends requests and keeps every exchange and page step of one check. One recorder per check: evidence never mixes.
 */
export class Recorder {
  readonly #transport: Transport;
  readonly #validator: Validator;
  readonly #entries: RecordEntry[] = [];
  readonly #sent: RecordEntry[] = [];
  /** Aborted when what is recorded here is over: then nothing is sent any more, and pages are closed. */
  readonly signal: AbortSignal | undefined;

  constructor(transport: Transport, validator: Validator = () => undefined, signal?: AbortSignal) {
    this.#transport = transport;
    this.#validator = validator;
    this.signal = signal;
  }

  /** Everything recorded so far, oldest first. */
  get entries(): readonly RecordEntry[] {
    return this.#entries;
  }

  /** The exchanges among {@link entries} that were sent for this piece of work, and by no other. */
  get sent(): readonly RecordEntry[] {
    return this.#sent;
  }

  /**
   * Sends one request and records it, whatever comes of it.
   *
   * @param purpose what it is for, in a few words, for the report
   * @returns the exchange; when no whole answer came it has a `failure` in place of a `response`
   */
  async send(purpose: string, request: WireRequest): Promise<Exchange> {
    const startedAt = Date.now();
    const begun = performance.now();
    let exchange: Exchange;
    try {
      if (this.signal?.aborted) throw new Aborted(this.signal);
      const response = await unlessAborted(this.#transport(request, this.signal), this.signal);
      const validation = this.#validator(request, response);
      const durationMs = performance.now() - begun;
      exchange = { purpose, request, response, startedAt, durationMs, ...(validation && { validation }) };
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      exchange = { purpose, request, failure: error, startedAt, durationMs: performance.now() - begun };
    }
    const entry = { kind: 'exchange', exchange } as const;
    this.#entries.push(entry);
    this.#sent.push(entry);
    return exchange;
  }

  /** Keeps an exchange that another check has made as evidence here too. */
  keep(exchange: Exchange): void {
    this.#entries.push({ kind: 'exchange', exchange });
  }

  /** Keeps all that another check has recorded of some piece of work. */
  keepAll(entries: readonly RecordEntry[]): void {
    this.#entries.push(...entries);
  }

  /** Records what the user agent did or saw. */
  step(step: AgentStep): void {
    this.#entries.push({ kind: 'step', step });
  }
}

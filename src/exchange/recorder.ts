import type { Exchange, Transport, Validation, WireRequest, WireResponse } from './exchange.ts';
import { Aborted, TransportFailure, unlessAborted } from './exchange.ts';

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

export type Validator = (request: WireRequest, response: WireResponse) => Validation | undefined;

/**
 * Sends requests and records the exchanges and page steps of one check. Never shared between checks, so that evidence
 * does not mix.
 */
export class Recorder {
  readonly #transport: Transport;
  readonly #validator: Validator;
  readonly #entries: RecordEntry[] = [];
  readonly #sent: RecordEntry[] = [];
  /** On abort nothing more is sent and pages are closed. */
  readonly signal: AbortSignal | undefined;

  constructor(transport: Transport, validator: Validator = () => undefined, signal?: AbortSignal) {
    this.#transport = transport;
    this.#validator = validator;
    this.signal = signal;
  }

  get entries(): readonly RecordEntry[] {
    return this.#entries;
  }

  /** The exchanges in {@link entries} that this recorder itself sent. */
  get sent(): readonly RecordEntry[] {
    return this.#sent;
  }

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

  keep(exchange: Exchange): void {
    this.#entries.push({ kind: 'exchange', exchange });
  }

  keepAll(entries: readonly RecordEntry[]): void {
    this.#entries.push(...entries);
  }

  step(step: AgentStep): void {
    this.#entries.push({ kind: 'step', step });
  }
}

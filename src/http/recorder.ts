import { validateTokenResponse } from '../../generated/validators.js';
import {
  Aborted,
  type Exchange,
  isSuccess,
  isTokenRequest,
  jsonOf,
  type Transport,
  TransportFailure,
  unlessAborted,
  type WireRequest,
  type WireResponse,
} from './exchange.ts';

export interface AgentStep {
  readonly purpose: string;
  readonly url?: string;
  readonly status?: number;
  /** Milliseconds that a busy answer asks to wait ({@link retryAfterMs}). */
  readonly retryAfterMs?: number;
  readonly detail?: string;
  /** The kind of page that the agent saw, such as `sign-in`; `redirect` for one to a client. */
  readonly shows?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export type RecordEntry =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'step'; readonly step: AgentStep };

/** Returns the exchanges among entries. */
export function exchangesOf(entries: readonly RecordEntry[]): readonly Exchange[] {
  return entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : []));
}

/** Returns the status of an answer or a page; undefined without one. */
export function statusOf(entry: RecordEntry): number | undefined {
  return entry.kind === 'step' ? entry.step.status : entry.exchange.response?.status;
}

/** Sends requests and records the exchanges and page steps of one check. Not shared, so that evidence does not mix. */
export class Recorder {
  readonly #transport: Transport;
  readonly #entries: RecordEntry[] = [];
  /** On abort nothing more is sent and pages are closed. */
  readonly signal: AbortSignal | undefined;

  constructor(transport: Transport, signal?: AbortSignal) {
    this.#transport = transport;
    this.signal = signal;
  }

  get entries(): readonly RecordEntry[] {
    return this.#entries;
  }

  async send(purpose: string, request: WireRequest): Promise<Exchange> {
    const startedAt = Date.now();
    const begun = performance.now();
    let exchange: Exchange;
    try {
      if (this.signal?.aborted) throw new Aborted(this.signal);
      const response = await unlessAborted(this.#transport(request, this.signal), this.signal);
      const validation = validateAnswer(request, response);
      const durationMs = performance.now() - begun;
      exchange = { purpose, request, response, startedAt, durationMs, validation };
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      exchange = { purpose, request, failure: error, startedAt, durationMs: performance.now() - begun };
    }
    this.#entries.push({ kind: 'exchange', exchange });
    return exchange;
  }

  /** Adds entries of another recorder, which this check evaluates too. */
  repeat(entries: readonly RecordEntry[]): void {
    this.#entries.push(...entries);
  }

  step(step: AgentStep): void {
    this.#entries.push({ kind: 'step', step });
  }
}

function schemaError(error: NonNullable<typeof validateTokenResponse.errors>[number]): string {
  const { instancePath, keyword, params, message = 'is wrong' } = error;
  const wanted = keyword === 'const' ? `must be ${JSON.stringify(params.allowedValue)}` : message;
  return `${instancePath || '/'} ${wanted}`;
}

/** Validates an answer against its schema; undefined without one. Only tokens have one (clause 2.1): the rest is open. */
function validateAnswer(request: WireRequest, response: WireResponse): Exchange['validation'] {
  if (!isTokenRequest(request) || !isSuccess(response)) return undefined;
  const valid = validateTokenResponse(jsonOf(response));
  const errors = validateTokenResponse.errors ?? [];
  return {
    schema: 'TokenResponse',
    valid,
    errors: valid ? [] : errors.map(schemaError),
  };
}

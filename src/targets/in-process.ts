import {
  Aborted,
  reasonOf,
  type Transport,
  TransportFailure,
  unlessAborted,
  type WireRequest,
  type WireResponse,
} from '../exchange/exchange.ts';
import { DEFAULT_LIMITS, fetchTransport } from '../exchange/fetch-transport.ts';

/** An emulator, as far as it is asked here. */
interface Asked {
  fetch(request: Request): Promise<Response>;
  /** Undefined where `fetch` is to be asked. */
  answer(request: WireRequest, signal?: AbortSignal): Promise<WireResponse> | undefined;
}

/** A transport to an emulator without sockets: what arrives, comes back and goes wrong is what `fetch` would show. */
export function inProcessTransport(emulator: Asked): Transport {
  const careful = fetchTransport((request) => emulator.fetch(request));
  return async (request, signal) => {
    if (signal?.aborted) throw new Aborted(signal);
    const answering = directly(emulator, request, signal);
    if (answering === undefined) return careful(request, signal);
    const deadline = new AbortController();
    const late = `no whole answer within ${DEFAULT_LIMITS.deadlineMs} ms`;
    const timer = setTimeout(() => deadline.abort(late), DEFAULT_LIMITS.deadlineMs);
    try {
      return await unlessAborted(unlessAborted(answering, signal), deadline.signal);
    } catch (error) {
      if (signal?.aborted) throw new Aborted(signal);
      if (deadline.signal.aborted)
        throw new TransportFailure('timeout', reasonOf(deadline.signal), { cause: error });
      throw failed(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

function directly(emulator: Asked, request: WireRequest, signal: AbortSignal | undefined) {
  try {
    return emulator.answer(request, signal);
  } catch (error) {
    throw failed(error);
  }
}

function failed(error: unknown): TransportFailure {
  const said = error instanceof Error ? error.message : String(error);
  return new TransportFailure('connection', `the connection failed: ${said}`, { cause: error });
}

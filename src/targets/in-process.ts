import {
  Aborted,
  reasonOf,
  type Transport,
  TransportFailure,
  unlessAborted,
  type WireRequest,
  type WireResponse,
} from '../exchange/exchange.ts';
import { DEFAULT_LIMITS } from '../exchange/node-transport.ts';

interface Asked {
  answer(request: WireRequest, signal?: AbortSignal): Promise<WireResponse>;
}

export function inProcessTransport(emulator: Asked): Transport {
  return async (request, signal) => {
    if (signal?.aborted) throw new Aborted(signal);
    const deadline = new AbortController();
    const late = `no whole answer within ${DEFAULT_LIMITS.deadlineMs} ms`;
    const timer = setTimeout(() => deadline.abort(late), DEFAULT_LIMITS.deadlineMs);
    try {
      return await unlessAborted(unlessAborted(emulator.answer(request, signal), signal), deadline.signal);
    } catch (error) {
      if (signal?.aborted) throw new Aborted(signal);
      if (deadline.signal.aborted)
        throw new TransportFailure('timeout', reasonOf(deadline.signal), { cause: error });
      const { message } =
        error instanceof Error && error.cause instanceof Error ? error.cause : asError(error);
      throw new TransportFailure('connection', `the connection failed: ${message}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

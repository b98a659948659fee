import {
  Aborted,
  type Header,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from '../../src/http/exchange.ts';
import { DEFAULT_LIMITS, type TransportLimits } from '../../src/http/node-transport.ts';

type FetchLike = (request: Request) => Promise<Response>;

/** A transport over the emulator's in-process dispatch: no redirects, a deadline and a size limit for each exchange. */
export function fetchTransport(fetchLike: FetchLike, limits: TransportLimits = DEFAULT_LIMITS): Transport {
  return async (wire, signal) => {
    if (signal?.aborted) throw new Aborted(signal);
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), limits.deadlineMs);
    try {
      const response = await fetchLike(
        toRequest(wire, signal === undefined ? abort.signal : AbortSignal.any([abort.signal, signal])),
      );
      return await readWhole(response, limits.maxBodyBytes);
    } catch (error) {
      if (signal?.aborted) throw new Aborted(signal);
      throw explain(error, abort.signal.aborted, limits.deadlineMs);
    } finally {
      clearTimeout(timer);
    }
  };
}

function toRequest(wire: WireRequest, signal: AbortSignal): Request {
  return new Request(wire.url, {
    method: wire.method,
    headers: wire.headers.map(([name, value]) => [name, value] as [string, string]),
    body: wire.body,
    redirect: 'manual',
    signal,
  });
}

async function readWhole(response: Response, maxBodyBytes: number): Promise<WireResponse> {
  const headers: Header[] = [...response.headers].map(([name, value]) => [name, value]);
  if (response.body === null) return { status: response.status, headers, body: '', bytes: 0 };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) {
      throw new TransportFailure('too-large', `the answer's body is larger than ${maxBodyBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return { status: response.status, headers, body: Buffer.concat(chunks).toString('utf8'), bytes };
}

function explain(error: unknown, timedOut: boolean, deadlineMs: number): TransportFailure {
  if (error instanceof TransportFailure) return error;
  if (timedOut) {
    return new TransportFailure('timeout', `no whole answer within ${deadlineMs} ms`, { cause: error });
  }
  return new TransportFailure('connection', `the connection failed: ${innermost(error)}`, { cause: error });
}

function innermost(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  if (!(current instanceof Error)) return String(current);
  const code = (current as NodeJS.ErrnoException).code;
  return code === undefined || current.message.includes(code)
    ? current.message
    : `${code} ${current.message}`;
}

import { Aborted, type Transport, TransportFailure } from '../../src/http/exchange.ts';
import { DEFAULT_LIMITS } from '../../src/http/node-transport.ts';

/** A transport over a function like `fetch`: no redirects, and a deadline for each exchange. */
export function fetchTransport(fetchLike: (request: Request) => Promise<Response>): Transport {
  return async ({ method, url, headers: sent, body }, signal) => {
    if (signal?.aborted) throw new Aborted(signal);
    const late = AbortSignal.timeout(DEFAULT_LIMITS.deadlineMs);
    const headers = sent.map(([name, value]): [string, string] => [name, value]);
    const either = AbortSignal.any(signal === undefined ? [late] : [late, signal]);
    try {
      const request = new Request(url, { method, headers, body, redirect: 'manual', signal: either });
      const response = await fetchLike(request);
      const bytes = Buffer.from(await response.arrayBuffer());
      const { status } = response;
      return { status, headers: [...response.headers], body: bytes.toString('utf8'), bytes: bytes.length };
    } catch (error) {
      if (signal?.aborted) throw new Aborted(signal);
      throw new TransportFailure(late.aborted ? 'timeout' : 'connection', String(error), { cause: error });
    }
  };
}

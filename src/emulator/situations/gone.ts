import type { RequestContext } from '../endpoint.ts';

/** Aborts when a request's client goes away before it is answered, or the emulator closes. */
export function goneSignal({ env, req }: RequestContext, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort();
  closing.addEventListener('abort', end, { once: true, signal: gone.signal });
  if (closing.aborted) end();
  if (env.outgoing !== undefined) env.outgoing.once('close', end);
  else if (req.raw.signal.aborted) end();
  else req.raw.signal.addEventListener('abort', end, { once: true, signal: gone.signal });
  return gone.signal;
}

/** Whether a request's client has closed the connection. */
export function clientIsGone({ env, req }: RequestContext): boolean {
  return env.outgoing === undefined ? req.raw.signal.aborted : env.outgoing.destroyed;
}

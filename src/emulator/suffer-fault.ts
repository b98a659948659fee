import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Answer, bodyAnswer, type HeaderLine } from './answer.ts';
import { deliver, deliverTruncated } from './deliver.ts';
import type { RequestContext } from './endpoint.ts';
import type { Fault } from './faults.ts';

/**
 * Does to a request what a fault says.
 *
 * @param effect runs the request and makes its answer, for faults that hit after it took effect
 * @param challenge what the service sends as `WWW-Authenticate` with a 401 here
 * @param closing aborted when the emulator closes: ends what is being stalled
 * @returns the response, and the status of the answer that was made, whether or not the client got it
 */
export async function sufferFault(
  fault: Fault,
  context: RequestContext,
  effect: () => Promise<Answer>,
  challenge: string | undefined,
  closing: AbortSignal,
): Promise<{ readonly response: Promise<Response>; readonly status?: number }> {
  const { outgoing } = context.env;
  const kept = fault.afterEffect || fault.kind === 'truncate' ? await effect() : undefined;
  switch (fault.kind) {
    case 'status':
    case 'html': {
      const answer = faultAnswer(fault, challenge);
      return { response: Promise.resolve(deliver(answer, outgoing)), status: answer.status };
    }
    case 'reset':
      return { response: Promise.resolve(reset(context)), ...statusOf(kept) };
    case 'stall':
      return { response: stall(context, closing), ...statusOf(kept) };
    case 'truncate': {
      const answer = kept ?? (await effect());
      return { response: Promise.resolve(deliverTruncated(answer, outgoing)), status: answer.status };
    }
  }
}

function statusOf(answer: Answer | undefined): { readonly status?: number } {
  return answer === undefined ? {} : { status: answer.status };
}

function faultAnswer({ kind, status = 503, retryAfter }: Fault, challenge: string | undefined): Answer {
  const headers: readonly HeaderLine[] = [
    ...(retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)] as const]),
    ...(status !== 401 || challenge === undefined ? [] : [['WWW-Authenticate', challenge] as const]),
  ];
  if (kind === 'status') return bodyAnswer(status, 'text/plain; charset=utf-8', 'Armed fault.\n', headers);
  const html = '<!doctype html><title>Armed fault</title><h1>Armed fault</h1>\n';
  return bodyAnswer(status, 'text/html; charset=utf-8', html, headers);
}

function reset({ env }: RequestContext): Response {
  env.outgoing?.socket?.resetAndDestroy();
  env.onBreak?.(
    new TypeError('fetch failed', { cause: new Error('The connection was reset (armed fault).') }),
  );
  return RESPONSE_ALREADY_SENT;
}

/** Answers nothing until the client gives up or the emulator closes. */
function stall(context: RequestContext, closing: AbortSignal): Promise<Response> {
  const { outgoing, onBreak } = context.env;
  return new Promise((resolve) => {
    const end = (error: unknown) => {
      onBreak?.(error);
      outgoing?.socket?.destroy();
      resolve(RESPONSE_ALREADY_SENT);
    };
    const closed = () => end(new TypeError('fetch failed', { cause: new Error('The emulator was closed.') }));
    closing.addEventListener('abort', closed, { once: true });
    if (outgoing !== undefined) outgoing.once('close', () => resolve(RESPONSE_ALREADY_SENT));
    else {
      const { signal } = context.req.raw;
      if (signal.aborted) end(signal.reason);
      else signal.addEventListener('abort', () => end(signal.reason), { once: true });
    }
  });
}

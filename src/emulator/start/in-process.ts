import { BODILESS, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { type HandledRequest, type RequestHandler, targetOf } from '../request.ts';

/** A request as its sender wrote it. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  readonly body?: string;
}

/** An answer as `fetch` shows it. */
export interface PlainAnswer {
  readonly status: number;
  /** Names in lower case, in alphabetical order. */
  readonly headers: readonly HeaderLine[];
  readonly body: string;
  /** Length of the body in bytes. */
  readonly bytes: number;
}

type Handlers = ReadonlyMap<string, RequestHandler>;

const NEVER = new AbortController().signal;

/**
 * Hands over a request without the objects of `fetch`, which take longer to create than the answer.
 * @param signal aborted when the client is gone
 * @throws TypeError for an unknown address, for invalid headers, and if a fault breaks the connection
 */
export async function answerPlain(
  handlers: Handlers,
  { method, url, headers, body = '' }: PlainRequest,
  signal: AbortSignal = NEVER,
): Promise<PlainAnswer> {
  const verb = method.toUpperCase();
  const sent = headersOf(headers);
  const text = verb === 'GET' || verb === 'HEAD' ? '' : body.toWellFormed();
  const { origin } = new URL(url);
  const handler = handlers.get(origin);
  if (handler === undefined)
    throw new TypeError(
      `The emulator answers at ${[...handlers.keys()].join(' and ')}; asked was ${origin}.`,
    );
  const handled = await handler.handle({
    method: verb,
    target: targetOf(url),
    rawHeaders: [...sent].flat(),
    body: Buffer.byteLength(text) > handler.bodyLimit ? undefined : text,
    connection: undefined,
    header: (name) => sent.get(name) ?? '',
    isGone: () => signal.aborted,
    gone: () => signal,
  });
  const answer = answerOf(handled, signal);
  const whole = verb === 'HEAD' || BODILESS.has(answer.status) ? '' : answer.body.toWellFormed();
  return {
    status: answer.status,
    headers: [...headersOf(answer.headers)],
    body: whole,
    bytes: Buffer.byteLength(whole),
  };
}

/** Answers a `Request` as {@link answerPlain} does. @throws the signal's reason if the caller aborted */
export async function answerRequest(handlers: Handlers, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request;
  const plain = { method, url, headers: [...headers], body: await request.text() };
  const answer = await answerPlain(handlers, plain, signal);
  if (signal.aborted) throw signal.reason;
  return new Response(answer.body || null, { status: answer.status, headers: headersOf(answer.headers) });
}

function headersOf(lines: readonly HeaderLine[]): Headers {
  return new Headers(lines.map(([name, value]): [string, string] => [name, value]));
}

const BROKEN = {
  half: 'The connection broke within the body (armed fault).',
  reset: 'The connection was reset (armed fault).',
  drop: 'The emulator was closed.',
};

function answerOf({ by, answer }: HandledRequest, signal: AbortSignal): ServiceAnswer {
  if (by === 'answer' && answer !== undefined) return answer;
  if (signal.aborted) throw signal.reason;
  throw new TypeError('fetch failed', { cause: new Error(BROKEN[by === 'answer' ? 'drop' : by]) });
}

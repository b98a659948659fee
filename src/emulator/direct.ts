import type { HeaderLine } from './answer.ts';
import { BODILESS } from './deliver.ts';
import type { Bindings } from './endpoint.ts';
import type { OriginApp } from './routes.ts';

/** A request as its sender has it. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  readonly body?: string;
}

/** An answer as `fetch` would show it. */
export interface PlainAnswer {
  readonly status: number;
  /** Names in lower case, in alphabetical order. */
  readonly headers: readonly HeaderLine[];
  readonly body: string;
  /** Bytes of the body. */
  readonly bytes: number;
}

/** Methods that `fetch` neither rewrites nor refuses, and whether a body may go with them. */
const ORDINARY: ReadonlyMap<string, boolean> = new Map([
  ['GET', false],
  ['POST', true],
  ['PUT', true],
  ['DELETE', true],
]);

const NEVER = new AbortController().signal;

/** What `fetch` says a body of text is, where the sender does not. */
const TEXT = 'text/plain;charset=UTF-8';

/**
 * Hands a request to one of some apps, as `fetch` would: the same address, headers and body arrive, and the same come back. Making a `Request`, a
 * `Response` and a stream of each exchange takes longer than answering it.
 *
 * @param apps by origin
 * @param signal aborted when the client is gone
 * @returns undefined where the request is out of the ordinary: `fetch` has an opinion on it
 * @throws TypeError for headers that `fetch` refuses
 */
export function answerDirectly(
  apps: ReadonlyMap<string, OriginApp>,
  { method, url, headers, body }: PlainRequest,
  signal: AbortSignal = NEVER,
): Promise<PlainAnswer> | undefined {
  const mayHoldBody = ORDINARY.get(method);
  if (mayHoldBody === undefined || (body !== undefined && !mayHoldBody)) return undefined;
  if (!URL.canParse(url)) return undefined;
  const { origin, href, username, password } = new URL(url);
  const app = apps.get(origin);
  if (app === undefined || username !== '' || password !== '') return undefined;
  const sent = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  if (body !== undefined && !sent.has('content-type')) sent.set('content-type', TEXT);
  return dispatched(app, {
    method,
    url: href,
    headers: sent,
    signal,
    arrayBuffer: async () => Buffer.from(body ?? ''),
  });
}

/** What of a `Request` an app looks at. */
type Asked = Pick<Request, 'method' | 'url' | 'headers' | 'signal'> & { arrayBuffer(): Promise<Buffer> };

async function dispatched(app: OriginApp, asked: Asked): Promise<PlainAnswer> {
  let answer: PlainAnswer | undefined;
  const bindings: Bindings = {
    onAnswer: ({ status, headers, body }) => {
      const whole = BODILESS.has(status) ? '' : body.toWellFormed();
      const shown = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
      if (whole !== '' && !shown.has('content-type')) shown.set('content-type', TEXT);
      answer = { status, headers: [...shown], body: whole, bytes: Buffer.byteLength(whole) };
    },
  };
  await app.fetch(asked as unknown as Request, bindings);
  if (answer === undefined) throw new TypeError('The emulator gave no answer.');
  return answer;
}

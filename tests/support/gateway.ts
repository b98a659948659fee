import { createServer, type IncomingMessage, request } from 'node:http';
import { onLoopback } from './on-loopback.ts';

/** One request on its way through a {@link Gateway}. */
interface PassingRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** `Authorization`, as it came. */
  readonly authorization: string | undefined;
}

export interface OwnAnswer {
  readonly status: number;
  readonly body?: string;
  /** Content type; JSON when absent. */
  readonly type?: string;
}

/** Stands before a service on loopback, sees every request in order, and may answer it, or act before and after. */
export interface Gateway {
  /** Without a slash at the end. */
  readonly url: string;
  /** `PUT /v2/projects/…`, in the order of arrival. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

export interface GatewayHooks {
  /** Before the service sees it. An answer keeps it from the service. */
  readonly before?: (passing: PassingRequest) => Promise<OwnAnswer | undefined> | OwnAnswer | undefined;
  /** After the service has done its part, before anybody hears of it. */
  readonly after?: (passing: PassingRequest) => Promise<void> | void;
  /** The body that is passed on in place of the service's; undefined for the service's own. */
  readonly instead?: (
    passing: PassingRequest,
    answered: { status: number; body: string },
  ) => OwnAnswer | undefined;
}

/** @param to address of the service */
export async function startGateway(to: string, hooks: GatewayHooks): Promise<Gateway> {
  const seen: string[] = [];
  const server = createServer(async (req, res) => {
    const passing: PassingRequest = {
      method: req.method ?? '',
      path: req.url ?? '',
      authorization: req.headers.authorization,
    };
    seen.push(`${passing.method} ${passing.path}`);
    const body = await bodyOf(req);
    const own = await hooks.before?.(passing);
    if (own !== undefined) {
      res.writeHead(own.status, { 'Content-Type': 'application/json' }).end(own.body ?? '{}');
      return;
    }
    const onward = request(
      new URL(to).origin + passing.path,
      { method: passing.method, headers: { ...req.headers, host: new URL(to).host } },
      async (answer) => {
        const answered = await bodyOf(answer);
        await hooks.after?.(passing);
        const status = answer.statusCode ?? 502;
        const other = hooks.instead?.(passing, { status, body: answered.toString() });
        if (other !== undefined) {
          res
            .writeHead(other.status, { 'Content-Type': other.type ?? 'application/json' })
            .end(other.body ?? '');
          return;
        }
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders).end(answered);
      },
    );
    onward.on('error', () => res.destroy());
    onward.end(body);
  });
  const { origin, close } = await onLoopback(server);
  return { url: origin, seen, close };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

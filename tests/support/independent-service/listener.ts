import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { onLoopback } from '../on-loopback.ts';

export type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface Listener {
  /** Without a slash at the end. */
  readonly origin: string;
  /** Starts to answer requests. Until then they wait. */
  serve(handler: Handler): void;
  /** Takes requests from now on, and answers none. */
  fallSilent(): void;
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1 (with `identity` by HTTPS). The address is known before anything answers. */
export async function listen(
  identity?: KeyAndCertificate,
  onRequest: (req: IncomingMessage) => void = () => undefined,
  port = 0,
): Promise<Listener> {
  const server: Server = identity === undefined ? createServer() : createTlsServer({ ...identity });
  server.on('request', onRequest);
  let silent = false;
  const { origin, close } = await onLoopback(server, port);
  return {
    origin,
    close,
    serve(handler) {
      server.on('request', (req, res) => {
        if (silent) return;
        Promise.resolve(handler(req, res)).catch((error: unknown) => {
          console.error(error);
          if (!res.headersSent) res.writeHead(500);
          res.end();
        });
      });
    },
    fallSilent() {
      silent = true;
    },
  };
}

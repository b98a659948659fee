import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from './routes.ts';

/** A listener on a socket. */
export interface Listening {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

/**
 * Serves an app on a socket. Connections that dawdle are dropped: 10 s for the headers, 30 s for a whole request.
 *
 * @param port 0 for any
 */
export async function listen(app: App, host: string, port: number): Promise<Listening> {
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    hostname: host,
    overrideGlobalObjects: false,
  });
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
    },
    listener,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { FastLane } from './fast-lane.ts';
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
 * @param laneAt what serves plain requests past the app, given the value of their `Host` header
 */
export async function listen(
  app: App,
  host: string,
  port: number,
  laneAt?: (host: string) => FastLane,
): Promise<Listening> {
  let lane: FastLane | undefined;
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
    (incoming, outgoing) => {
      if (!lane?.serve(incoming, outgoing)) listener(incoming, outgoing);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${bound}`;
  lane = laneAt?.(authority);
  return {
    origin: `http://${authority}`,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

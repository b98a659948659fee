import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { FastLane } from './fast-lane.ts';
import type { OriginApp } from './routes.ts';
import type { Certificates } from './tls/certificates.ts';

/** A listener on a socket. */
export interface Listening {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

/** Where a listener listens. */
export interface Socketed {
  readonly host: string;
  /** 0 for any. */
  readonly port: number;
  /** HTTPS with this certificate; HTTP without. */
  readonly tls: Certificates | undefined;
}

/** Connections that dawdle are dropped: 10 s for the headers, 30 s for a whole request. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * Serves an app on a socket.
 *
 * @param laneAt what serves plain requests past the app, given the origin that the listener is bound to
 */
export async function listen(
  app: OriginApp,
  { host, port, tls }: Socketed,
  laneAt?: (origin: string) => FastLane,
): Promise<Listening> {
  let lane: FastLane | undefined;
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    hostname: host,
    overrideGlobalObjects: false,
  });
  const server = await serverOf(tls, (incoming, outgoing) => {
    if (!lane?.serve(incoming, outgoing)) listener(incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${bound}`;
  const origin = `${tls === undefined ? 'http' : 'https'}://${authority}`;
  lane = laneAt?.(origin);
  return { origin, close: () => closeServer(server) };
}

/** HTTPS is loaded only when asked for: starting is to be fast. */
async function serverOf(tls: Certificates | undefined, serve: RequestListener): Promise<Server> {
  if (tls === undefined) return createServer(LIMITS, serve);
  const https = await import('node:https');
  return https.createServer({ ...LIMITS, cert: tls.certificate, key: tls.key }, serve);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

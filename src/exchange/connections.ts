import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect, getCACertificates, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { EdgeHeaders } from './edge.ts';
import { openTunnel } from './tunnel.ts';

export interface Reach {
  readonly ca?: string;
  readonly proxy?: URL;
  readonly edgeHeaders?: EdgeHeaders;
  /** The client certificate, and the origins that may see it. */
  readonly client?: { readonly origins: ReadonlySet<string>; readonly certificate: SecureContextOptions };
}

export function clientCertificateFor(origin: string, { client }: Reach): SecureContextOptions {
  return client?.origins.has(origin) ? client.certificate : {};
}

export function trustOf({ ca }: Reach): SecureContextOptions {
  return ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
}

/**
 * Opens a TLS connection, through the proxy if there is one. Verifies the certificate.
 *
 * @throws Error if the connection fails or no trusted authority signed the certificate
 */
export async function openTls(host: string, port: number, reach: Reach): Promise<TLSSocket> {
  const bare = host.replace(/^\[|\]$/g, '');
  const tunnel = reach.proxy && (await openTunnel(reach.proxy, `${host}:${port}`));
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...(tunnel === undefined ? { host: bare, port } : { socket: tunnel, host: bare }),
      ...trustOf(reach),
      ...clientCertificateFor(new URL(`https://${host}:${port}`).origin, reach),
      ALPNProtocols: ['http/1.1'],
      // Addresses are no server names (RFC 6066 section 3); their certificates are still verified.
      ...(/^[\d.]+$|:/.test(bare) ? {} : { servername: bare }),
    });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

export interface Connections {
  /** For plain HTTP; with a proxy, requests go to the proxy itself. */
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  close(): void;
}

/**
 * @param keepAlive reuses connections. A reused one that the service has just closed loses the request, so a request that must
 * not be sent twice gets its own
 */
export function connectionsFor(reach: Reach, keepAlive: boolean): Connections {
  const http = new HttpAgent({ keepAlive });
  const options: AgentOptions = { keepAlive, ...trustOf(reach) };
  const https = reach.proxy === undefined ? new HttpsAgent(options) : new TunnelAgent(reach, options);
  return {
    http,
    https,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

class TunnelAgent extends HttpsAgent {
  readonly #reach: Reach;

  constructor(reach: Reach, options: AgentOptions) {
    super(options);
    this.#reach = reach;
  }

  override createConnection(
    options: { readonly host?: string | null; readonly port?: number | string | null },
    callback?: (error: Error | null, stream: Duplex) => void,
  ): null {
    openTls(options.host ?? '', Number(options.port ?? 443), this.#reach).then(
      (socket) => callback?.(null, socket),
      // Node reads the second argument only if there is no error.
      (error: Error) => (callback as ((error: Error) => void) | undefined)?.(error),
    );
    return null;
  }
}

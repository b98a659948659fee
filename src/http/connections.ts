import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, getCACertificates, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { Header } from './exchange.ts';
import { type ProxySettings, proxyFor } from './proxy.ts';
import { proxyUnreachable, refusedByProxy } from './unreachable.ts';

export interface ConnectionOptions extends ProxySettings {
  readonly ca?: string;
  readonly edgeHeaders?: EdgeHeaders;
  /** The client certificate, and the origins that may see it. */
  readonly client?: { readonly origins: ReadonlySet<string>; readonly certificate: SecureContextOptions };
}

export function clientCertificateFor(origin: string, { client }: ConnectionOptions): SecureContextOptions {
  return client?.origins.has(origin) ? client.certificate : {};
}

function trustOf({ ca }: ConnectionOptions): SecureContextOptions {
  return ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
}

const PROTOCOL = { ALPNProtocols: ['http/1.1'] };

/** Opens a TLS connection, through the proxy if there is one. @throws Error if it fails, or for an untrusted certificate */
export async function openTls(
  host: string,
  port: number,
  connectionOptions: ConnectionOptions,
): Promise<TLSSocket> {
  const { host: bare } = endpointOf(new URL(`https://${host}`));
  const proxy = proxyFor(`https://${host}:${port}`, connectionOptions);
  const tunnel = proxy && (await openTunnel(proxy, `${host}:${port}`, connectionOptions));
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...(tunnel === undefined ? { host: bare, port } : { socket: tunnel, host: bare }),
      ...trustOf(connectionOptions),
      ...clientCertificateFor(new URL(`https://${host}:${port}`).origin, connectionOptions),
      ...PROTOCOL,
      // Addresses are no server names (RFC 6066 section 3); their certificates are still verified.
      ...(/^[\d.]+$|:/.test(bare) ? {} : { servername: bare }),
    });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Opens the connection for requests to an address, to the proxy if there is one. */
export function openConnection(address: string, connectionOptions: ConnectionOptions): Promise<Socket> {
  const url = new URL(address);
  if (url.protocol === 'https:') return openTls(url.hostname, endpointOf(url).port, connectionOptions);
  const end = endpointOf(proxyFor(address, connectionOptions) ?? url);
  return new Promise((resolve, reject) => {
    const socket = connectPlain(end, () => resolve(socket)).once('error', reject);
  });
}

export type Connections = ReturnType<typeof connectionsFor>;

/** @param keepAlive reuses connections; one that has just closed loses its request, so a request that must not repeat gets its own */
export function connectionsFor(connectionOptions: ConnectionOptions, keepAlive: boolean) {
  // With a proxy, plain requests go to the proxy itself.
  const http = new HttpAgent({ keepAlive });
  const options: AgentOptions = { keepAlive, ...PROTOCOL, ...trustOf(connectionOptions) };
  const https =
    connectionOptions.proxy === undefined
      ? new HttpsAgent(options)
      : new TunnelAgent(connectionOptions, options);
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
  readonly #reach: ConnectionOptions;

  constructor(connectionOptions: ConnectionOptions, options: AgentOptions) {
    super(options);
    this.#reach = connectionOptions;
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

/** Encodes a user and a password for HTTP Basic (RFC 7617 section 2). */
export function basicCredentials(user: string, password: string): string {
  return Buffer.from(`${user}:${password}`).toString('base64');
}

export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '') return undefined;
  return `Basic ${basicCredentials(decodeURIComponent(username), decodeURIComponent(password))}`;
}

export function endpointOf(url: URL): { readonly host: string; readonly port: number } {
  const usual = url.protocol === 'https:' ? 443 : 80;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || usual) };
}

/**
 * Opens a tunnel to a host and port through an HTTP proxy (RFC 9110 section 9.3.6).
 * @throws TransportFailure if the proxy cannot be reached or refuses
 */
export function openTunnel(proxy: URL, authority: string, settings: ProxySettings = {}): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const authorization = proxyAuthorization(proxy);
    const connect = request({
      ...endpointOf(proxy),
      method: 'CONNECT',
      path: authority,
      agent: false,
      headers: {
        Host: authority,
        ...(authorization === undefined ? {} : { 'Proxy-Authorization': authorization }),
      },
    });
    const refused = ({ statusCode }: IncomingMessage) =>
      reject(refusedByProxy(proxy, settings, statusCode, `CONNECT ${authority}`));
    connect.once('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      refused(response);
    });
    connect.once('response', (response) => {
      response.resume();
      refused(response);
    });
    connect.once('error', (error) => {
      reject(proxyUnreachable(proxy, settings, error.message, error));
    });
    connect.end();
  });
}

/** Returns the headers that a gateway before the service asks for at an address; none for other origins. */
export type EdgeHeaders = (url: string) => readonly Header[];

/** Returns the edge's headers that a request does not have itself: a request's own header is never replaced. */
export function edgeHeadersBeside(
  own: readonly string[],
  url: string,
  edge: EdgeHeaders = () => [],
): readonly Header[] {
  const taken = new Set(own.map((name) => name.toLowerCase()));
  return edge(url).filter(([name]) => !taken.has(name.toLowerCase()));
}

import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import {
  type ConnectionOptions,
  endpointOf,
  openConnection,
  openTls,
  openTunnel,
  proxyAuthorization,
} from '../http/connections.ts';
import { proxyFor } from '../http/proxy.ts';

interface PageGatewayOptions {
  readonly connectionOptions: ConnectionOptions;
  /** HTTPS origins that the gateway connects to itself: it verifies their certificates and presents the client's. */
  readonly opened: ReadonlySet<string>;
  readonly mayConnectTo: (host: string, port: number) => boolean;
}

/**
 * Chromium's command line takes neither authorities nor client certificates. So this gateway opens the TLS connections to the
 * service, and the browser trusts the gateway's own key. Connections to all other origins pass unread, and the browser verifies
 * them. Playwright's `clientCertificates` would switch that off, and would resolve names that the launch has blocked.
 */
export async function startPageGateway({ connectionOptions, opened, mayConnectTo }: PageGatewayOptions) {
  // Loaded only on demand, because it takes 150 ms.
  const { makeCertificates } = await import('../http/certificates.ts');
  const { certificate, key } = await makeCertificates(['localhost'], new Date());
  const secureContext = createSecureContext({ cert: certificate, key });
  const sockets = new Set<Duplex>();
  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const address = new URL(`http://suite:${randomBytes(18).toString('base64url')}@127.0.0.1`);
  const expected = proxyAuthorization(address);
  const isOurs = ({ headers }: IncomingMessage) => headers['proxy-authorization'] === expected;
  const server = createServer((req, res) => {
    if (isOurs(req)) forward(req, res, connectionOptions, mayConnectTo);
    else res.writeHead(407, { 'Proxy-Authenticate': CHALLENGE }).end();
  });
  server.on('connection', keep);
  server.on('connect', async (req: IncomingMessage, browser: Socket, head: Buffer) => {
    if (!isOurs(req)) {
      browser.end(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${CHALLENGE}\r\n\r\n`);
      return;
    }
    try {
      const { hostname, port: written, origin } = new URL(`https://${req.url}`);
      const port = Number(written || 443);
      const isOpened = opened.has(origin);
      if (!mayConnectTo(hostname, port)) throw new Error('not a host of the service');
      const service = keep(
        await (isOpened
          ? openTls(hostname, port, connectionOptions)
          : tunnel(hostname, port, connectionOptions)),
      );
      browser.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      browser.unshift(head);
      const near = isOpened ? keep(new TLSSocket(browser, { isServer: true, secureContext })) : browser;
      pipeline(near, service, near, () => undefined);
    } catch {
      browser.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address.port = String((server.address() as AddressInfo).port);
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return {
    /** With a password, so that no other process of this machine can use the client certificate. */
    address,
    /** Base64 SHA-256 of the SPKI of its key, for Chromium's `--ignore-certificate-errors-spki-list`. */
    key: createHash('sha256').update(spki).digest('base64'),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const CHALLENGE = 'Basic realm="suite"';

function tunnel(host: string, port: number, connectionOptions: ConnectionOptions): Promise<Socket> {
  const authority = `${host}:${port}`;
  const proxy = proxyFor(`https://${authority}`, connectionOptions);
  return proxy ? openTunnel(proxy, authority, connectionOptions) : openConnection(`http://${authority}`, {});
}

function forward(
  req: IncomingMessage,
  res: ServerResponse,
  connectionOptions: ConnectionOptions,
  mayConnectTo: PageGatewayOptions['mayConnectTo'],
): void {
  const url = URL.parse(req.url ?? '');
  if (url === null || !mayConnectTo(url.hostname, Number(url.port || 80))) {
    res.writeHead(502).end();
    return;
  }
  const proxy = proxyFor(url.href, connectionOptions);
  const authorization = proxy && proxyAuthorization(proxy);
  const { 'proxy-authorization': _ours, ...own } = req.headers;
  const headers = { ...own, ...(authorization && { 'proxy-authorization': authorization }) };
  const path = proxy === undefined ? url.pathname + url.search : url.href;
  const onward = request({ ...endpointOf(proxy ?? url), path, method: req.method, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    pipeline(answer, res, () => undefined);
  });
  onward.once('error', () => res.destroy());
  pipeline(req, onward, () => undefined);
}

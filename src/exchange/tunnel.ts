import { type ClientRequest, request } from 'node:http';
import type { Socket } from 'node:net';
import { TransportFailure } from './exchange.ts';

export function proxyAuthorization(proxy: URL): string | undefined {
  if (proxy.username === '') return undefined;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

export function proxyEndpoint(proxy: URL): { readonly host: string; readonly port: number } {
  return { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port || 80) };
}

/**
 * Opens a tunnel through an HTTP proxy (RFC 9110 section 9.3.6).
 *
 * @param authority host and port at the other end, `api.example:443`
 * @throws TransportFailure if the proxy cannot be reached or refuses
 */
export function openTunnel(proxy: URL, authority: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const authorization = proxyAuthorization(proxy);
    const connect: ClientRequest = request({
      ...proxyEndpoint(proxy),
      method: 'CONNECT',
      path: authority,
      agent: false,
      headers: {
        Host: authority,
        ...(authorization === undefined ? {} : { 'Proxy-Authorization': authorization }),
      },
    });
    connect.once('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(refused(authority, response.statusCode));
    });
    connect.once('response', (response) => {
      response.resume();
      reject(refused(authority, response.statusCode));
    });
    connect.once('error', (error) => {
      reject(
        new TransportFailure('connection', `the proxy (\`proxy\`) cannot be reached: ${error.message}`, {
          cause: error,
        }),
      );
    });
    connect.end();
  });
}

function refused(authority: string, status: number | undefined): TransportFailure {
  return new TransportFailure(
    'connection',
    `the proxy (\`proxy\`) answered ${status ?? 'nothing'} to CONNECT ${authority}`,
  );
}

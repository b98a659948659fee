import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { onLoopback } from '../on-loopback.ts';
import type { GuardCertificates } from './certificates.ts';

export interface Demands {
  readonly header?: { readonly name: string; readonly value: string };
  readonly basic?: { readonly user: string; readonly password: string };
  /** `tls`: the handshake is refused, as by most gateways. `status`: answered with 400, as by nginx. */
  readonly certificate?: 'tls' | 'status';
  /** The sign-in address for requests without the header, in place of 403. */
  readonly login?: string;
}

export interface Edge {
  readonly origin: string;
  /** `GET /oauth/authorize`, for each request that was let through. */
  readonly passed: readonly string[];
  /** The same for each that was refused by an answer. */
  readonly refused: readonly string[];
  readonly seen: (name: string) => ReadonlySet<string>;
  close(): Promise<void>;
}

/** Starts an edge before a service. `outside` maps the service's own origins to the edges', in what it says of itself. */
export async function startEdge(
  inner: string,
  outside: Map<string, string>,
  demands: Demands,
  tls?: GuardCertificates,
): Promise<Edge> {
  const passed: string[] = [];
  const refused: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    const line = `${req.method} ${req.url?.split('?')[0]}`;
    if (isRefused(req, res, demands)) {
      refused.push(line);
      return;
    }
    passed.push(line);
    headers.push({ ...req.headers });
    // As a gateway should: what it asked for is not passed on.
    if (demands.basic !== undefined) delete req.headers.authorization;
    forward(inner, outside, req, res);
  };
  const server =
    tls === undefined
      ? createServer(serve)
      : createTlsServer(
          {
            ...tls.identity,
            ca: tls.ca,
            requestCert: demands.certificate !== undefined,
            rejectUnauthorized: demands.certificate === 'tls',
          },
          serve,
        );
  const { origin, close } = await onLoopback(server);
  outside.set(inner, origin);
  return {
    origin,
    passed,
    refused,
    seen: (name) => new Set(headers.map((each) => String(each[name.toLowerCase()]))),
    close,
  };
}

function isRefused(req: IncomingMessage, res: ServerResponse, demands: Demands): boolean {
  const page = (status: number, text: string, headers = {}) => {
    res.writeHead(status, { 'Content-Type': 'text/html', ...headers });
    res.end(`<html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>`);
    return true;
  };
  const { header, basic, certificate, login } = demands;
  if (certificate === 'status' && !(req.socket as TLSSocket).authorized) {
    const given = (req.socket as TLSSocket).getPeerX509Certificate() !== undefined;
    return page(400, given ? 'The SSL certificate error' : '400 No required SSL certificate was sent');
  }
  if (header !== undefined && req.headers[header.name.toLowerCase()] !== header.value)
    return login === undefined
      ? page(403, '403 Forbidden')
      : page(302, 'Found', { Location: `${login}?kid=1&redirect_url=${encodeURIComponent(req.url ?? '')}` });
  const expected = basic && `Basic ${Buffer.from(`${basic.user}:${basic.password}`).toString('base64')}`;
  if (expected !== undefined && req.headers.authorization !== expected)
    return page(401, '401 Authorization Required', { 'WWW-Authenticate': 'Basic realm="staging"' });
  return false;
}

function forward(
  inner: string,
  outside: Map<string, string>,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const rewritten = (text: string) =>
    [...outside].reduce((all, [own, edge]) => all.replaceAll(own, edge), text);
  const headers = { ...req.headers, host: new URL(inner).host };
  const onward = request(inner + req.url, { method: req.method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const raw = answer.rawHeaders.map(rewritten);
      const kept = raw.flatMap((name, i) =>
        i % 2 === 0 && !/^(?:content-length|transfer-encoding|connection|keep-alive)$/i.test(name)
          ? [name, raw[i + 1] ?? '']
          : [],
      );
      const body = Buffer.from(rewritten(Buffer.concat(chunks).toString('latin1')), 'latin1');
      res.writeHead(answer.statusCode ?? 502, [...kept, 'Content-Length', String(body.length)]).end(body);
    });
  });
  onward.on('error', () => res.destroy());
  req.pipe(onward);
}

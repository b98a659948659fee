import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { textOf } from './bodies.ts';
import {
  type ConnectionOptions,
  type Connections,
  clientCertificateFor,
  connectionsFor,
  edgeHeadersBeside,
  endpointOf,
  proxyAuthorization,
} from './connections.ts';
import {
  Aborted,
  type Header,
  headerLines,
  headersOf,
  type ProtocolFault,
  READS,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from './exchange.ts';
import { type ProxySettings, proxyFor, throughProxy } from './proxy.ts';
import { proxyUnreachable, refusedByProxy, unreachable } from './unreachable.ts';

interface TransportLimits {
  readonly deadlineMs: number;
  /** Maximum body size in bytes. A larger body is a {@link TransportFailure} `too-large`. */
  readonly maxBodyBytes: number;
}

/** Generous for an API of small documents. */
export const DEFAULT_LIMITS: TransportLimits = { deadlineMs: 10_000, maxBodyBytes: 4 * 1024 * 1024 };

export interface OpenTransport {
  readonly transport: Transport;
  close(): void;
}

/** Sent because some gateways reject requests without it. */
const USER_AGENT = 'legacy-api-conformance';

/**
 * Uses Node's HTTP client, because `fetch` supports neither proxies nor private authorities. Sends paths verbatim,
 * `%2E%2E` included. A request whose reused connection had just closed is sent again if it only reads; for another one, a
 * code might be spent or a user assigned.
 *
 * @param reused requests that may have a reused connection; `all` where no server closes one that is idle
 */
export function nodeTransport(
  connectionOptions: ConnectionOptions = {},
  limits: TransportLimits = DEFAULT_LIMITS,
  reused: 'reads' | 'all' = 'reads',
): OpenTransport {
  const kept = connectionsFor(connectionOptions, true);
  const fresh = connectionsFor(connectionOptions, false);
  const transport: Transport = async (wire, signal) => {
    const connections = (wire.kept ?? (reused === 'all' || READS.has(wire.method))) ? kept : fresh;
    const first = await exchange(wire, connections, connectionOptions, limits, signal);
    if (first !== 'closed before') return first;
    const second = await exchange(wire, fresh, connectionOptions, limits, signal);
    if (second !== 'closed before') return second;
    throw unreachable(wire.url, 'ECONNRESET', connectionOptions);
  };
  return {
    transport,
    close: () => {
      kept.close();
      fresh.close();
    },
  };
}

/** Sends once. `closed before` means that a reused connection was already closed, so nothing arrived. */
function exchange(
  wire: WireRequest,
  connections: Connections,
  connectionOptions: ConnectionOptions,
  limits: TransportLimits,
  signal: AbortSignal | undefined,
): Promise<WireResponse | 'closed before'> {
  if (signal?.aborted) return Promise.reject(new Aborted(signal));
  return new Promise((resolve, reject) => {
    let sent: ClientRequest;
    try {
      sent = open(wire, connections, connectionOptions);
    } catch (error) {
      reject(new TransportFailure('not-sent', `not sent: ${(error as Error).message}`, { cause: error }));
      return;
    }
    let over: TransportFailure | undefined;
    let answer: IncomingMessage | undefined;
    let protocolFault: ProtocolFault | undefined;
    const end = (why: TransportFailure) => {
      over = why;
      sent.destroy(why);
      // A request whose connection switched to another protocol reports no end.
      fail(why);
    };
    const through = throughProxy(wire.url, connectionOptions);
    const late = () =>
      end(new TransportFailure('timeout', `no whole answer within ${limits.deadlineMs} ms${through}`));
    const timer = setTimeout(late, limits.deadlineMs);
    const abort = () => signal && end(new Aborted(signal));
    signal?.addEventListener('abort', abort, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (error: Error) => {
      done();
      reject(over ?? explainFailure(error, wire.url, connectionOptions));
    };
    sent.once('response', (message) => {
      answer = message;
      const connection = CONNECTIONS.get(message.socket) ?? {};
      CONNECTIONS.set(message.socket, connection);
      const proxy = wire.url.startsWith('http:') && proxyFor(wire.url, connectionOptions);
      if (proxy && BY_PROXIES.includes(message.statusCode ?? 0))
        return end(
          refusedByProxy(
            proxy,
            connectionOptions,
            message.statusCode,
            `${wire.method} ${new URL(wire.url).origin}`,
          ),
        );
      readWhole(message, limits.maxBodyBytes)
        .then((whole) => resolve({ ...whole, ...(protocolFault && { protocolFault }), connection }), fail)
        .finally(done);
    });
    sent.once('upgrade', (_message, socket) => {
      socket.destroy();
      fail(new TransportFailure('connection', 'the service switched to another protocol (status 101)'));
    });
    sent.once('continue', () => {
      protocolFault = 'unaskedContinues';
    });
    // After the answer has begun, its reader reports a loss first.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isWire = error.code?.startsWith('HPE_') === true;
      if (isWire && answer?.complete && over === undefined) {
        protocolFault = 'strayBytes';
        return;
      }
      // Bytes behind the last answer, which wait in the connection, make the next one unreadable.
      const closed = isWire || error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (!closed || !sent.reusedSocket || answer) return fail(error);
      // A server may close an idle connection at any time; the request that meets it proves nothing.
      if (wire.kept) return end(new TransportFailure('not-sent', 'not sent: the kept connection was closed'));
      if (!READS.has(wire.method)) return fail(error);
      done();
      resolve('closed before');
    });
    if (wire.cut) sent.once('finish', () => end(new Aborted(CUT)));
    sent.end(wire.body);
  });
}

/** Stands for a socket, which an answer would keep from being freed. */
const CONNECTIONS = new WeakMap<Socket, object>();

const CUT = AbortSignal.abort(new Error('the suite closed the connection before the answer'));

/** Statuses with which a proxy refuses a request, or says that it cannot reach the service. */
const BY_PROXIES: readonly number[] = [407, 502, 504];

/** Node adds one of them unless both are removed. */
const FRAMING = ['Content-Length', 'Transfer-Encoding'];

function open(
  wire: WireRequest,
  { http, https }: Connections,
  connectionOptions: ConnectionOptions,
): ClientRequest {
  const { edgeHeaders } = connectionOptions;
  const proxy = proxyFor(wire.url, connectionOptions);
  const url = new URL(wire.url);
  const secure = url.protocol === 'https:';
  const path = pathOf(wire.url, url);
  const { method } = wire;
  const sent = secure
    ? httpsRequest({
        ...clientCertificateFor(url.origin, connectionOptions),
        ...endpointOf(url),
        method,
        path,
        agent: https,
      })
    : httpRequest({
        ...endpointOf(proxy ?? url),
        method,
        path: proxy === undefined ? path : url.origin + path,
        agent: http,
      });
  try {
    sent.setHeader('Host', url.host);
    const authorization = proxy === undefined || secure ? undefined : proxyAuthorization(proxy);
    if (authorization !== undefined) sent.setHeader('Proxy-Authorization', authorization);
    for (const [name, value] of wire.headers) sent.appendHeader(name, value);
    for (const [name, value] of edgeHeadersBeside(sent.getHeaderNames(), wire.url, edgeHeaders))
      sent.setHeader(name, value);
    if (!sent.hasHeader('User-Agent')) sent.setHeader('User-Agent', USER_AGENT);
    if (wire.noLength) for (const name of FRAMING) sent.removeHeader(name);
    else if (wire.body !== undefined && !sent.hasHeader('Transfer-Encoding'))
      sent.setHeader('Content-Length', Buffer.byteLength(wire.body));
  } catch (error) {
    // The request already has a connection; its end would reach no listener.
    sent.on('error', () => undefined);
    sent.destroy();
    throw error;
  }
  return sent;
}

/** Returns path and query verbatim, because `URL` resolves `%2E%2E`. Normalises only what cannot be sent verbatim. */
function pathOf(address: string, url: URL): string {
  const written = /^https?:\/\/[^/?#]*([^#]*)/i.exec(address)?.[1] ?? '';
  if (!/^[\x21-\x7e]*$/.test(written)) return `${url.pathname}${url.search}`;
  return written.startsWith('/') ? written : `/${written}`;
}

async function readWhole(message: IncomingMessage, maxBodyBytes: number): Promise<WireResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes)
      throw new TransportFailure('too-large', `the answer's body is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  const headers = headerLines(message.rawHeaders);
  const content = decoded(chunks, headers, maxBodyBytes);
  const body = isGzip(content) ? `(${bytes} bytes of gzip without Content-Encoding)` : textOf(content);
  return { status: message.statusCode ?? 0, headers, body, bytes };
}

/** Returns true for what is packed still (RFC 1952 section 2.3.1). As text it would be unreadable, and hide its secrets. */
function isGzip(chunks: readonly Buffer[]): boolean {
  return Buffer.concat(chunks.slice(0, 2)).toString('hex', 0, 2) === '1f8b';
}

/** Decodes the body: the request asks for no encoding (RFC 9110 section 12.5.3), but caches may apply one or several. */
function decoded(
  chunks: readonly Buffer[],
  headers: readonly Header[],
  maxOutputLength: number,
): readonly Buffer[] {
  const encodings = headersOf({ headers }, 'content-encoding').flatMap((line) => line.split(','));
  return encodings.reduceRight((encoded, encoding) => {
    const coding = encoding.trim().toLowerCase();
    const decode = DECODERS.get(coding);
    if (decode === undefined || encoded.length === 0) return encoded;
    const bytes = Buffer.concat(encoded);
    try {
      return [decode(bytes, { maxOutputLength })];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error;
      // The answer came whole. Its body is left out: it may hold tokens as they are.
      return [Buffer.from(`(${bytes.length} bytes that are not ${coding}, as Content-Encoding says)`)];
    }
  }, chunks);
}

type Decode = (encoded: Buffer, limits: { readonly maxOutputLength: number }) => Buffer;

/** Decoders by content coding (RFC 9110 section 8.4.1). Unknown codings stay as received. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  // Many servers send it without the zlib format, and every browser reads that.
  ['deflate', (bytes, limits) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, limits)],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

/** Returns true for a zlib header (RFC 1950 section 2.2). */
function isZlib(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** By code, or by the number of the alert (RFC 8446 section 6). */
const TLS_ADVICE: readonly (readonly [codes: RegExp, advice: string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/,
    'if its authority is your own, name the authority’s certificate in `tls.caFile`',
  ],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|alert number (?:40|116)/,
    'the service or its gateway asks for a client certificate: name it in `tls.client`',
  ],
  [
    /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|ACCESS_DENIED|CERTIFICATE_\w+)|alert number (?:42|43|44|45|46|48|49)/,
    'the service or its gateway does not accept the client certificate in `tls.client`',
  ],
];

export function explainFailure(
  error: Error,
  address: string,
  settings: ProxySettings = {},
): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const proxy = /^(?:connect|getaddrinfo)$/.test(syscall) ? proxyFor(address, settings) : undefined;
  const described = error.message.includes(code) ? error.message : `${code} ${error.message}`;
  if (proxy) return proxyUnreachable(proxy, settings, described, error);
  const [, advice] = TLS_ADVICE.find(([codes]) => codes.test(`${code} ${error.message}`)) ?? [];
  return unreachable(address, described, settings, advice, error);
}

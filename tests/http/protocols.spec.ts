/** A service that speaks another HTTP, or only an old TLS, is not taken for one that wants a client certificate. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { makeCertificates } from '../../src/http/certificates.ts';
import { openConnection } from '../../src/http/connections.ts';
import { explainFailure, nodeTransport } from '../../src/http/node-transport.ts';
import { cureOf, type Unreachable } from '../../src/http/unreachable.ts';
import { onLoopback } from '../support/on-loopback.ts';

/** The first frame of an HTTP/2 connection (RFC 9113 section 6.5). */
const SETTINGS = Buffer.from('000006040000000000000300000064', 'hex');

const greet = (socket: Socket) => void socket.on('error', () => undefined).write(SETTINGS);

const HTTP2 = ['offers no HTTP/1.1, perhaps HTTP/2 alone', 'offer HTTP/1.1'] as const;
const OLD = ['offers no TLS version from 1.2 on', 'offer TLS 1.2 or newer'] as const;

type Identity = { readonly cert: string; readonly key: string };

for (const [what, scheme, start, [words, cure]] of [
  ['HTTP/2 alone', 'https', (own: Identity) => createSecureServer({ ...own, allowHTTP1: false }), HTTP2],
  ['HTTP/2 alone, whatever the client offers', 'https', (own: Identity) => createTls(own, greet), HTTP2],
  ['HTTP/2 alone, without TLS', 'http', () => createPlain(greet), HTTP2],
  [
    'TLS 1.1 alone',
    'https',
    (own: Identity) =>
      createTls({ ...own, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }),
    OLD,
  ],
] as const)
  test(`${what}: one sentence that says so, with its fix`, async () => {
    const { ca, certificate: cert, key } = await makeCertificates(['localhost'], new Date());
    const server: Server = start({ cert, key });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `${scheme}://localhost:${(server.address() as AddressInfo).port}/v2`;
    const { transport, close } = nodeTransport({ ca });
    try {
      const failures = [
        await transport({ method: 'GET', url, headers: [] }).catch((error: Error) => error),
        await openConnection(url, { ca }).then(
          (socket) => socket.destroy() && undefined,
          (error: Error) => explainFailure(error, url),
        ),
      ];
      for (const failure of failures) {
        // Some servers show it only with their first answer.
        if (failure === undefined) continue;
        expect(failure).toHaveProperty('message', `the service at ${new URL(url).origin} ${words}`);
        expect(cureOf(failure as Unreachable, 'authUrl')).toContain(cure);
        expect(cureOf(failure as Unreachable, 'authUrl')).not.toContain('certificate');
      }
      expect(failures[0]).toBeInstanceOf(Error);
    } finally {
      close();
      server.close();
    }
  });

test('gzip that no Content-Encoding announces is named, and not printed', async () => {
  const packed = gzipSync('{"access_token":"a"}');
  const { origin, close } = await onLoopback(
    createServer((req, res) => {
      if (req.url === '/encoded') res.setHeader('Content-Encoding', 'gzip');
      if (req.url === '/parts') res.write(packed.subarray(0, 1));
      res.end(req.url === '/parts' ? packed.subarray(1) : packed);
    }),
  );
  const { transport, close: end } = nodeTransport();
  try {
    const bodyAt = async (path: string) =>
      (await transport({ method: 'GET', url: origin + path, headers: [] })).body;
    expect(await bodyAt('/encoded')).toBe('{"access_token":"a"}');
    for (const path of ['/', '/parts'])
      expect(await bodyAt(path)).toBe(`(${packed.length} bytes of gzip without Content-Encoding)`);
  } finally {
    end();
    await close();
  }
});

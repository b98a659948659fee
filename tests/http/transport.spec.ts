/** The transport of live targets, against a server that does what it is told. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { headerOf, headersOf, TransportFailure, type WireRequest } from '../../src/http/exchange.ts';
import { DEFAULT_LIMITS, nodeTransport, type OpenTransport } from '../../src/http/node-transport.ts';
import { cureOf, refusedByProxy, unreachedText } from '../../src/http/unreachable.ts';
import { onLoopback } from '../support/on-loopback.ts';

let server: Server;
let origin: string;
let close: () => Promise<void>;
let answer: (req: IncomingMessage, res: ServerResponse, body: string) => void;
let opened: OpenTransport;

test.beforeEach(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    req.on('end', () => answer(req, res, body));
  });
  ({ origin, close } = await onLoopback(server));
  opened = nodeTransport();
});

test.afterEach(async () => {
  opened.close();
  await close();
});

function request(method: string, path: string, more: Partial<WireRequest> = {}): WireRequest {
  return { method, url: `${origin}${path}`, headers: [], ...more };
}

test('sends method, path, headers and body as they are written, and brings back the whole answer', async () => {
  let seen: unknown;
  answer = (req, res, body) => {
    seen = [
      req.method,
      req.url,
      req.headers['x-twice'],
      req.headers.host,
      req.headers['content-length'],
      body,
    ];
    res
      .writeHead(
        299,
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-Case', 'kept'],
        ].flat(),
      )
      .end('grüß');
  };
  const response = await opened.transport(
    request('PUT', '/v2/%2E%2E/a%2Fb?q=1+2', {
      headers: [
        ['X-Twice', 'one'],
        ['X-Twice', 'two'],
      ],
      body: 'schön',
    }),
  );
  expect(seen).toEqual(['PUT', '/v2/%2E%2E/a%2Fb?q=1+2', 'one, two', new URL(origin).host, '6', 'schön']);
  expect(response).toMatchObject({ status: 299, body: 'grüß', bytes: 6 });
  expect(headersOf(response, 'set-cookie')).toEqual(['a=1', 'b=2']);
  expect(response.headers).toContainEqual(['X-Case', 'kept']);
});

test('sends no body and no type of one where there is none', async () => {
  let seen: IncomingMessage['headers'] = {};
  answer = (req, res) => {
    seen = req.headers;
    res.end();
  };
  for (const method of ['GET', 'PUT', 'DELETE']) {
    expect((await opened.transport(request(method, '/'))).body).toBe('');
    expect(seen['transfer-encoding']).toBeUndefined();
    expect(seen['content-type']).toBeUndefined();
  }
});

test('sends a change without a length, or in chunks, if it is asked to', async () => {
  const seen: unknown[] = [];
  answer = (req, res, body) => {
    seen.push([req.headers['content-length'], req.headers['transfer-encoding'], body]);
    res.end();
  };
  const inChunks = { headers: [['Transfer-Encoding', 'chunked']] } as const;
  await opened.transport(request('PUT', '/'));
  await opened.transport(request('PUT', '/', { noLength: true }));
  await opened.transport(request('DELETE', '/', { noLength: true }));
  await opened.transport(request('PUT', '/', inChunks));
  await opened.transport(request('POST', '/', { ...inChunks, body: 'code=1' }));
  expect(seen).toEqual([
    ['0', undefined, ''],
    [undefined, undefined, ''],
    [undefined, undefined, ''],
    [undefined, 'chunked', ''],
    [undefined, 'chunked', 'code=1'],
  ]);
});

test('closes the connection before the answer if it is asked to; the service has the whole request', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<string>();
  answer = (req, _res, body) => req.socket.once('close', () => resolve(`${req.method} ${body}`));
  const cut = opened.transport(request('POST', '/', { body: 'code=1', cut: true }));
  await expect(cut).rejects.toMatchObject({ kind: 'not-sent', message: expect.stringContaining('closed') });
  expect(await arrived).toBe('POST code=1');
  answer = (_req, res) => res.end('next');
  expect((await opened.transport(request('GET', '/'))).body).toBe('next');
});

test('follows no redirect', async () => {
  answer = (_req, res) => res.writeHead(302, { Location: '/elsewhere' }).end();
  const response = await opened.transport(request('GET', '/'));
  expect(response.status).toBe(302);
  expect(headerOf(response, 'location')).toBe('/elsewhere');
});

test('reads a body that is compressed although nobody asked for it', async () => {
  answer = (_req, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"a":1}'));
  expect((await opened.transport(request('GET', '/'))).body).toBe('{"a":1}');
});

test('an answer whose body is not encoded as it says is whole, and its body is not printed', async () => {
  answer = (_req, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end('{"access_token":"a"}');
  const { status, body } = await opened.transport(request('GET', '/'));
  expect([status, body]).toEqual([200, '(20 bytes that are not gzip, as Content-Encoding says)']);
});

test('gives up at its deadline, whether nothing or half an answer came', async () => {
  const hasty = nodeTransport({}, { ...DEFAULT_LIMITS, deadlineMs: 100 });
  for (const half of [false, true]) {
    answer = (_req, res) => {
      if (half) res.writeHead(200, { 'Content-Length': '100' }).write('half');
    };
    const error = await hasty.transport(request('GET', '/')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TransportFailure);
    expect(error).toMatchObject({ kind: 'timeout', message: 'no whole answer within 100 ms' });
  }
  hasty.close();
});

test('tells a body that is too large, cut off, or never came', async () => {
  const small = nodeTransport({}, { ...DEFAULT_LIMITS, maxBodyBytes: 10 });
  answer = (_req, res) => res.end('more than ten bytes');
  await expect(small.transport(request('GET', '/'))).rejects.toMatchObject({ kind: 'too-large' });
  small.close();

  answer = (_req, res) => {
    res.writeHead(200, { 'Content-Length': '100' });
    res.write('half', () => res.destroy());
  };
  await expect(opened.transport(request('GET', '/'))).rejects.toMatchObject({ kind: 'connection' });

  answer = (req) => req.socket.destroy();
  await expect(opened.transport(request('POST', '/'))).rejects.toMatchObject({ kind: 'connection' });
});

test('tells that nobody listens', async () => {
  const error = await opened
    .transport({ method: 'GET', url: 'http://127.0.0.1:1/', headers: [] })
    .catch((e) => e);
  const message = 'the service at http://127.0.0.1:1 refuses connections';
  expect(error).toMatchObject({ kind: 'connection', message });
  const gone = { origin: 'http://127.0.0.1:1', failure: error, since: 4 };
  expect(unreachedText([gone], new Map([[gone.origin, 'authUrl']]))).toBe(
    'the service at http://127.0.0.1:1 (`authUrl`) refuses connections since request 4: start it and run again',
  );
  const proxy = new URL('http://127.0.0.1:1');
  for (const url of ['http://service.example/', 'https://service.example/'])
    await expect(nodeTransport({ proxy }).transport({ method: 'GET', url, headers: [] })).rejects.toThrow(
      'the proxy http://127.0.0.1:1 (`proxy`) refuses connections',
    );
});

test('a proxy that refuses is the one reason, whatever address was asked', () => {
  const proxy = new URL('http://127.0.0.1:1');
  const failure = refusedByProxy(proxy, { proxy }, 407, 'CONNECT service.example');
  const gone = { origin: 'http://service.example', failure, since: 2 };
  expect(unreachedText([gone], new Map([[gone.origin, 'authUrl']]))).toBe(
    'the proxy http://127.0.0.1:1 (`proxy`) answered 407 to CONNECT service.example',
  );
  expect(cureOf(failure, 'authUrl')).toBe('correct `proxy`, or remove it');
});

test('tells that a request cannot be written', async () => {
  const broken = request('GET', '/', { headers: [['X-Broken', 'a\nb']] });
  await expect(opened.transport(broken)).rejects.toMatchObject({ kind: 'not-sent' });
});

test('uses connections again for reads, and a new one for every request that must not be sent twice', async () => {
  const used: Socket[] = [];
  answer = (req, res) => {
    used.push(req.socket);
    res.end();
  };
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'POST'])
    await opened.transport(request(method, '/'));
  expect(used[1]).toBe(used[0]);
  expect(new Set(used).size).toBe(5);
});

test('sends a read again when its old connection was closed just then', async () => {
  let requests = 0;
  answer = (req, res) => {
    requests += 1;
    if (requests === 2) req.socket.resetAndDestroy();
    else res.end(`answer ${requests}`);
  };
  await opened.transport(request('GET', '/'));
  expect((await opened.transport(request('GET', '/'))).body).toBe('answer 3');
});

test('a request on a kept connection that was closed just then is not sent, and not sent again', async () => {
  const used: Socket[] = [];
  answer = (req, res) => {
    used.push(req.socket);
    if (used.length === 2) req.socket.resetAndDestroy();
    else res.end();
  };
  const kept = () => opened.transport({ ...request('POST', '/'), kept: true });
  await kept();
  await expect(kept()).rejects.toMatchObject({ kind: 'not-sent' });
  expect(used[1]).toBe(used[0]);
  expect(used.length).toBe(2);
});

test('where every request may have a used connection, one that only reads is still the only one sent again', async () => {
  const { transport, close: closeAll } = nodeTransport({}, DEFAULT_LIMITS, 'all');
  const used: Socket[] = [];
  answer = (req, res) => {
    used.push(req.socket);
    if (used.length === 2) req.socket.resetAndDestroy();
    else res.end();
  };
  await transport(request('POST', '/'));
  await expect(transport(request('POST', '/'))).rejects.toThrow(TransportFailure);
  expect(used[1]).toBe(used[0]);
  expect(used.length).toBe(2);
  closeAll();
});

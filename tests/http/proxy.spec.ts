/** Which addresses a proxy is for, and how a failure behind it names it. */

import { createServer } from 'node:http';
import { createServer as createPlain } from 'node:net';
import { expect, test } from '@playwright/test';
import { connectionToBroker } from '../../src/contracts/broker/access.ts';
import { Broker } from '../../src/contracts/broker/hal-client.ts';
import { nodeTransport } from '../../src/http/node-transport.ts';
import { noProxyIn, proxyFor } from '../../src/http/proxy.ts';
import { onLoopback } from '../support/on-loopback.ts';

const proxy = new URL('http://proxy.example:3128');

/** By list, the addresses that are asked directly, and those that are not. */
const LISTS: readonly (readonly [noProxy: string, direct: readonly string[], through: readonly string[]])[] =
  [
    [
      'corp.test',
      ['https://corp.test', 'https://a.b.corp.test', 'https://CORP.test.'],
      ['https://xcorp.test'],
    ],
    ['.corp.test', ['https://corp.test', 'https://api.corp.test'], ['https://xcorp.test']],
    ['*.corp.test', ['https://api.corp.test'], ['https://corp.test', 'https://xcorp.test']],
    ['API.Corp.Test', ['https://api.corp.test'], ['https://corp.test']],
    ['corp.test.', ['https://corp.test', 'https://api.corp.test.'], ['https://corp.example']],
    ['10.0.0.0/8', ['https://10.20.30.40:8443'], ['https://11.0.0.1', 'https://corp.test']],
    ['10.0.0.0/99, 10.0.0.0/x', [], ['https://10.0.0.1']],
    ['10.1.2.3', ['http://10.1.2.3'], ['http://110.1.2.3', 'http://10.1.2.30']],
    ['::1', ['http://[::1]:8080'], ['http://[::2]']],
    ['[2001:DB8::1]', ['https://[2001:db8:0:0::1]'], ['https://[2001:db8::2]']],
    ['[::1]:8080', ['http://[::1]:8080'], ['http://[::1]']],
    ['2001:db8::/32', ['https://[2001:db8:1::5]'], ['https://[2001:db9::5]']],
    ['corp.test:8443', ['https://corp.test:8443', 'https://a.corp.test:8443'], ['https://corp.test']],
    ['corp.test:443', ['https://corp.test'], ['http://corp.test', 'https://corp.test:8443']],
    ['  a.test ,\tb.test c.test', ['https://a.test', 'https://b.test', 'https://c.test'], ['https://d.test']],
    ['*', ['https://anything.test', 'http://10.0.0.1', 'http://[::2]'], []],
    ['', [], ['https://corp.test']],
    [', ,', [], ['https://corp.test']],
  ];

for (const [noProxy, direct, through] of LISTS)
  test(`NO_PROXY "${noProxy}" is read as curl or Go reads it, for targets and broker alike`, () => {
    const asked = [...direct, ...through];
    expect(asked.filter((url) => proxyFor(url, { proxy, noProxy }) === undefined)).toEqual(direct);
    const env = { HTTPS_PROXY: proxy.href, HTTP_PROXY: proxy.href, no_proxy: noProxy };
    const brokers = asked.filter((url) => !/\[::1\]/.test(url));
    expect(brokers.filter((url) => connectionToBroker(url, env).proxy === undefined)).toEqual(
      direct.filter((url) => brokers.includes(url)),
    );
  });

test('lower case takes precedence, and an empty variable counts as missing', () => {
  expect(noProxyIn({ NO_PROXY: 'a', no_proxy: 'b' })).toBe('b');
  expect(noProxyIn({ NO_PROXY: 'a', no_proxy: '' })).toBe('a');
  expect(noProxyIn({})).toBeUndefined();
});

/** Failures behind a proxy that answers so: a request for HTTPS, and one for plain HTTP. */
const PROXIES = {
  'refuses with 407': (head: string) => `HTTP/1.1 407 ${head}\r\nContent-Length: 0\r\n\r\n`,
  'cannot reach the service': (head: string) => `HTTP/1.1 502 ${head}\r\nContent-Length: 0\r\n\r\n`,
  'ends the connection': () => '',
} as const;

for (const [what, answer] of Object.entries(PROXIES))
  test(`a proxy that ${what} is named with its variable`, async () => {
    const server = createPlain((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(answer('no')));
    });
    const { origin, close } = await onLoopback(server as never);
    const settings = { proxy: new URL(origin), proxyName: 'HTTPS_PROXY' };
    const { transport, close: end } = nodeTransport(settings);
    try {
      for (const url of ['https://api.corp.test/v2', 'http://api.corp.test/v2']) {
        const failure = await transport({ method: 'POST', url, headers: [] }).catch((error: Error) => error);
        expect([url, String(failure)]).toEqual([url, expect.stringContaining(origin)]);
        expect(String(failure)).toContain('`HTTPS_PROXY`');
      }
      const { transport: exempt } = nodeTransport({ ...settings, noProxy: '127.0.0.1' });
      const direct = await exempt({ method: 'GET', url: origin, headers: [] }).catch(String);
      expect(JSON.stringify(direct)).not.toContain('HTTPS_PROXY');
    } finally {
      end();
      await close();
    }
  });

test('a broker behind a proxy that answers for it: the failure names the proxy and its variable', async () => {
  const proxied = await onLoopback(createServer((_, answer) => answer.writeHead(404).end('proxied')));
  process.env.HTTP_PROXY = proxied.origin;
  try {
    const broker = new Broker({ baseUrl: 'http://broker.corp.test' });
    await expect(broker.get('/')).rejects.toThrow(`(through the proxy ${proxied.origin}, \`HTTP_PROXY\`)`);
  } finally {
    delete process.env.HTTP_PROXY;
    await proxied.close();
  }
});

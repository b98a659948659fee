import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { connectingLive } from '../../src/commands/shared/connection.ts';
import { SecretRegistry } from '../../src/http/secrets/registry.ts';
import { proxySettings, resolverRules } from '../../src/service/agent/browser/launch.ts';
import { loadConfiguration } from '../../src/service/configuration/load-configuration.ts';
import { connectWithoutBrowser } from '../../src/service/flow/connect.ts';
import { runSmokeFlow } from '../../src/service/flow/smoke-flow.ts';
import type { SmokeFlow } from '../../src/service/flow/smoke-steps.ts';
import { liveTarget } from '../../src/service/live.ts';
import type { Target } from '../../src/service/target.ts';
import { makeCertificates } from '../support/independent-service/certificates.ts';
import { withIndependentService, withLiveTarget } from '../support/live-config.ts';
import { onLoopback } from '../support/on-loopback.ts';
import { firstInTest } from '../support/prove.ts';

/** An HTTP proxy on loopback that forwards to loopback alone and remembers for whom. */
interface ForwardProxy {
  /** Its address, name and password included. */
  readonly url: string;
  /** `CONNECT 127.0.0.1:1234` or `GET http://127.0.0.1:1234`, each once, in order. */
  readonly used: ReadonlySet<string>;
  /** Number of requests without the right name and password. */
  readonly turnedAway: number;
  close(): Promise<void>;
}

const CREDENTIALS = { name: 'suite', password: 'pr0xy:pass' };
const EXPECTED = `Basic ${Buffer.from(`${CREDENTIALS.name}:${CREDENTIALS.password}`).toString('base64')}`;
const CHALLENGE = { 'Proxy-Authenticate': 'Basic realm="proxy"' };

async function startForwardProxy(): Promise<ForwardProxy> {
  const used = new Set<string>();
  let turnedAway = 0;
  const server = createServer((req, res) => {
    if (req.headers['proxy-authorization'] !== EXPECTED) {
      turnedAway += 1;
      res.writeHead(407, CHALLENGE).end();
      return;
    }
    const url = new URL(req.url ?? '');
    used.add(`${req.method} ${url.origin}`);
    const { 'proxy-authorization': _, ...headers } = req.headers;
    const onward = request(
      { host: '127.0.0.1', port: url.port, method: req.method, path: url.pathname + url.search, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(res);
      },
    );
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  server.on('connect', (req, socket) => {
    if (req.headers['proxy-authorization'] !== EXPECTED) {
      turnedAway += 1;
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\n\r\n',
      );
      return;
    }
    used.add(`CONNECT ${req.url}`);
    const onward = connect(Number(req.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const { port, close } = await onLoopback(server);
  const credentials = `${CREDENTIALS.name}:${encodeURIComponent(CREDENTIALS.password)}`;
  return {
    url: `http://${credentials}@127.0.0.1:${port}`,
    used,
    get turnedAway() {
      return turnedAway;
    },
    close,
  };
}

const TLS = { INDEPENDENT_SERVICE_TLS: '1', INDEPENDENT_SERVICE_TWO_ORIGINS: '1' };

/** JSON has no `undefined`: the key is left out. */
const WITHOUT_AUTHORITY = { tls: undefined } as unknown as Partial<ConfigurationFile>;

async function walkInBrowser(target: Target): Promise<SmokeFlow> {
  const connection = await connectingLive()(target, new SecretRegistry());
  try {
    return await runSmokeFlow(connection.session);
  } finally {
    await connection.close();
  }
}

function walkWithout(target: Target): Promise<SmokeFlow> {
  return runSmokeFlow(connectWithoutBrowser(target, new SecretRegistry()));
}

const WAYS = [
  ['by requests alone', walkWithout],
  ['in a browser', walkInBrowser],
] as const;

test.describe('a private authority', () => {
  for (const [[way, walk], details] of firstInTest(WAYS, 1)) {
    test(`that is configured is trusted ${way}`, async () => {
      await withLiveTarget(TLS, {}, async ({ target }) => {
        expect((await walk(target)).stopped).toBeUndefined();
      });
    });

    test(`that is another one is not trusted ${way}`, details, async () => {
      const { caFile } = await makeCertificates(test.info().outputPath('.'));
      await withLiveTarget(TLS, { tls: { caFile } }, async ({ target }) => {
        expect((await walk(target)).stopped).toMatchObject({ step: 'authorize', status: 'no-answer' });
      });
    });
  }

  test('that is not configured is not trusted, and the remedy is told', async () => {
    await withLiveTarget(TLS, WITHOUT_AUTHORITY, async ({ target }) => {
      const { stopped } = await walkWithout(target);
      expect(stopped?.status).toBe('no-answer');
      expect(stopped?.message).toContain('name the authority’s certificate in `tls.caFile`');
      expect((await walkInBrowser(target)).stopped?.message).toContain(
        'has a certificate that no trusted authority signed',
      );
    });
  });
});

test.describe('a proxy', () => {
  let proxy: ForwardProxy;
  test.beforeEach(async () => {
    proxy = await startForwardProxy();
  });
  test.afterEach(() => proxy.close());

  for (const [[way, walk], details] of firstInTest(WAYS, 1)) {
    test(`is used for HTTPS ${way}`, async () => {
      await withLiveTarget(
        TLS,
        { proxy: { env: 'STAGING_PROXY' } },
        async ({ target, ready }) => {
          expect((await walk(target)).stopped).toBeUndefined();
          const services = [ready.authUrl, ready.baseUrl, ready.pagesUrl].map(
            (url) => `CONNECT ${new URL(url).host}`,
          );
          expect([...proxy.used].sort()).toEqual(services.sort());
        },
        { STAGING_PROXY: proxy.url },
      );
    });

    test(`is used for plain HTTP ${way}`, details, async () => {
      await withLiveTarget(
        {},
        { proxy: { env: 'STAGING_PROXY' } },
        async ({ target, ready }) => {
          expect((await walk(target)).stopped).toBeUndefined();
          expect([...proxy.used]).toContain(`POST ${ready.authUrl}`);
          expect([...proxy.used]).toContain(`GET ${ready.authUrl}`);
          expect([...proxy.used]).toContain(`DELETE ${ready.baseUrl}`);
          const origins = new Set([...proxy.used].map((line) => line.split(' ')[1]));
          expect([...origins].sort()).toEqual([ready.authUrl, ready.baseUrl].sort());
        },
        { STAGING_PROXY: proxy.url },
      );
    });
  }

  for (const [way, walk] of WAYS)
    test(`is not asked ${way} for what NO_PROXY exempts, a port alone too`, async () => {
      await withIndependentService(
        {},
        { proxy: { env: 'STAGING_PROXY' } },
        async ({ running: { ready }, file, env }) => {
          const NO_PROXY = new URL(ready.authUrl).host;
          const variables = { ...env, STAGING_PROXY: proxy.url, NO_PROXY };
          const target = await liveTarget(await loadConfiguration(file, variables));
          try {
            expect((await walk(target)).stopped).toBeUndefined();
            const origins = new Set([...proxy.used].map((line) => line.split(' ')[1]));
            expect([...origins]).toEqual([ready.baseUrl]);
          } finally {
            await target.close();
          }
        },
      );
    });

  test('that turns us away is named', async () => {
    const address = new URL(proxy.url);
    address.password = 'not-the-password';
    await withLiveTarget(
      TLS,
      { proxy: { env: 'STAGING_PROXY' } },
      async ({ target }) => {
        const { stopped } = await walkWithout(target);
        expect(stopped?.status).toBe('no-answer');
        expect(stopped?.message).toMatch(
          /the proxy http\S+ \(`proxy`\) answered 407 to CONNECT 127\.0\.0\.1:/,
        );
        const { origin } = address;
        expect((await walkInBrowser(target)).stopped?.message).toContain(
          `(\`authUrl\`) cannot be reached (through the proxy ${origin}, \`proxy\`)`,
        );
      },
      { STAGING_PROXY: address.href },
    );
    expect(proxy.turnedAway).toBeGreaterThan(0);
  });

  test('that refuses connections is named where a page needs it', async () => {
    await withLiveTarget(
      {},
      { proxy: { env: 'STAGING_PROXY' } },
      async ({ target }) => {
        expect((await walkInBrowser(target)).stopped?.message).toMatch(
          /cannot be reached \(through the proxy http:\/\/127\.0\.0\.1:1, `proxy`\)/,
        );
      },
      { STAGING_PROXY: 'http://127.0.0.1:1' },
    );
  });

  test('never carries the browser to a client: its hosts go without it, to where nothing resolves', () => {
    const options = {
      redirectUris: [
        'https://client.example/callback',
        'https://auth.example:8443/callback',
        'app:/callback',
      ],
      serviceUrls: ['https://auth.example', 'https://api.example'],
    };
    const settings = proxySettings(new URL('http://user:p%40ss@proxy.example:3128'), options);
    expect(settings).toEqual({
      server: 'http://proxy.example:3128',
      bypass: 'client.example,*.client.example',
      username: 'user',
      password: 'p@ss',
    });
    const rules = resolverRules({ ...options, onlyService: false });
    for (const host of settings.bypass.split(',')) expect(rules).toContain(`MAP ${host} ~NOTFOUND`);
  });
});

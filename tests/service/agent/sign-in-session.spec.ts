/** Saved sessions and sign-in modules: for sign-ins that steps cannot describe, or that only a human passes. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { saveSession } from '../../../src/commands/sign-in/verb.ts';
import { unlessPlain } from '../../../src/document/input/shell-quotes.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { findBrowser } from '../../../src/service/agent/browser/find-browser.ts';
import { ConfigurationError } from '../../../src/service/configuration/configuration-error.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { openSession, sealSession } from '../../../src/service/configuration/sealed-file.ts';
import { connectThrough } from '../../../src/service/flow/connect.ts';
import { flowToToken } from '../../../src/service/flow/smoke-flow.ts';
import { liveTarget } from '../../../src/service/live.ts';
import type { SignInStep } from '../../../src/service/target.ts';
import { checkLive } from '../../support/check-live.ts';
import { runHere } from '../../support/command-here.ts';
import { type RunningIndependentService, SELECTORS } from '../../support/independent-service/start.ts';
import { type Change, withIndependentService } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

const PASSPHRASE = 'correct horse battery staple';
const SESSION = { file: 'staging.session', passphrase: { env: 'SESSION_PASSPHRASE' } };
const NOBODY = { cookies: [], origins: [] };

/** A configuration of an independent service that runs, in a folder of this test. */
interface Ground {
  readonly running: RunningIndependentService;
  readonly directory: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

async function withGround(change: Change, work: (ground: Ground) => Promise<void>): Promise<void> {
  await withIndependentService(
    { INDEPENDENT_SERVICE_CONSENT: 'always' },
    change,
    async ({ running, file, env }) => {
      const directory = test.info().outputPath('.');
      await work({ running, directory, file, env: { ...env, SESSION_PASSPHRASE: PASSPHRASE } });
    },
  );
}

/** Walks until there is a token, in a browser; why not, if not. */
async function walked(browser: Browser, { file, env }: Pick<Ground, 'file' | 'env'>): Promise<string> {
  const target = await liveTarget(await loadConfiguration(file, env));
  try {
    const { session, close } = await connectThrough(browser, target, new SecretRegistry());
    try {
      const { tokens, stopped } = await flowToToken(session);
      return tokens === undefined ? (stopped?.message ?? 'no token') : 'a token';
    } finally {
      await close();
    }
  } finally {
    await target.close();
  }
}

async function passwordsSent(running: RunningIndependentService): Promise<number> {
  return (await running.received()).filter((line) => /^POST .*\/password$/.test(line)).length;
}

/** Somebody at the window: signs in, and leaves the consent page alone. */
async function human(page: Page, owner: { login: string; password: string }): Promise<void> {
  await page.locator(SELECTORS.login).fill(owner.login);
  await page.locator(SELECTORS.next).click();
  await page.locator(SELECTORS.password).fill(owner.password);
  await page.locator(SELECTORS.signIn).click();
}

/** A browser without a window, in which somebody does something on the first page. */
async function drivenBrowser(act: (page: Page) => Promise<void>): Promise<Browser> {
  const found = await findBrowser();
  const browser = await chromium.launch(
    found?.executablePath === undefined ? {} : { executablePath: found.executablePath },
  );
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.once('page', (page) => void act(page).catch(() => undefined));
    return context;
  };
  return browser;
}

test.describe('a saved session', () => {
  const sessionOnly: Change = (_, { owner }) => ({
    owner: { login: owner.login },
    signIn: { form: SELECTORS.login, session: SESSION },
  });

  test('is one of a sign-in by hand; runs with it type no password', PROVE, async ({ browser }) => {
    await withGround(sessionOnly, async (ground) => {
      const { running, file, directory, env } = ground;
      const said: string[] = [];
      const code = await saveSession(
        { target: file },
        {
          open: () => drivenBrowser((page) => human(page, running.ready.owner)),
          env,
          say: (line) => said.push(line),
        },
      );
      expect(said.at(-1)).toBe(`saved, encrypted, to ${join(directory, SESSION.file)}`);
      expect(code).toBe(0);
      const written = readFileSync(join(directory, SESSION.file), 'utf8');
      const { cookies } = await openSession(written, running.ready.authUrl, PASSPHRASE);
      expect(cookies.length).toBeGreaterThan(0);
      for (const { name, value } of cookies) {
        expect(written).not.toContain(name);
        expect(written).not.toContain(value);
      }
      expect(statSync(join(directory, SESSION.file)).mode & 0o077).toBe(0);
      expect(await passwordsSent(running)).toBe(1);
      expect(await walked(browser, ground)).toBe('a token');
      expect(await passwordsSent(running)).toBe(1);
    });
  });

  test('that has ended: 3, and how to make a new one', async ({ browser }) => {
    await withGround(sessionOnly, async ({ running, directory, file, env }) => {
      writeFileSync(
        join(directory, SESSION.file),
        await sealSession(NOBODY, running.ready.authUrl, PASSPHRASE),
      );
      const { exitCode, troubles } = await checkLive({ file, env }, { only: ['9'], browser });
      const why = troubles.map(({ message }) => message).join();
      expect(why).toContain('the saved session (`signIn.session`) is not signed in any more');
      expect(why).toContain('legacy-conformance sign-in --save');
      expect(exitCode).toBe(3);
    });
  });

  const refused: readonly (readonly [
    title: string,
    sealed: (authUrl: string) => string | Promise<string>,
    says: string,
  ])[] = [
    [
      'another passphrase',
      (url) => sealSession(NOBODY, url, 'another passphrase'),
      'the passphrase does not open',
    ],
    [
      'another service',
      () => sealSession(NOBODY, 'https://else.example', PASSPHRASE),
      'one of another service',
    ],
    ['nothing that was saved', () => '{}', 'a file of another kind'],
    [
      'something that was changed',
      async (url) => (await sealSession(NOBODY, url, PASSPHRASE)).replace(/.{4}\n$/, 'AAAA\n'),
      'the passphrase does not open',
    ],
  ];
  for (const [title, sealed, says] of refused) {
    test(`of ${title} is refused before anything is sent`, async () => {
      const file = written({ form: '#login', session: SESSION });
      writeFileSync(test.info().outputPath(SESSION.file), await sealed('https://auth.staging.example'));
      const message = await refusal(file);
      expect(message).toContain('signIn.session.file: expected a saved session of the service at `authUrl`');
      expect(message).toContain(says);
      expect(message).toContain(`legacy-conformance sign-in --save --target ${unlessPlain(file)}`);
    });
  }

  test('cannot be made without a display: 2, and what to do', async () => {
    const file = written({ form: '#login', session: SESSION });
    const blind = { ...ENV, DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
    const { code, stderr } = await runHere(['sign-in', '--save', '--target', file], blind);
    expect(stderr).toContain('expected a display and a browser that opens a window');
    expect(code).toBe(2);
  });
});

const STAGING: Partial<ConfigurationFile> = {
  name: 'staging',
  authUrl: 'https://auth.staging.example',
  baseUrl: 'https://api.staging.example',
  application: {
    clientId: 'a',
    clientSecret: { env: 'CLIENT_SECRET' },
    redirectUris: ['https://client.example/callback'],
  },
  owner: { login: 'owner@staging.example' },
  projects: ['1'],
  users: ['2'],
  lock: false as const,
  consent: { grant: '#grant', shown: 'once' },
};
const ENV = { CLIENT_SECRET: 'client-S3cret-of-staging', SESSION_PASSPHRASE: PASSPHRASE };

/** Writes a configuration of {@link STAGING} with this way to sign in. */
function written(signIn: unknown): string {
  const file = test.info().outputPath('conformance.config.json');
  writeFileSync(file, JSON.stringify({ ...STAGING, signIn }));
  return file;
}

async function refusal(file: string, env: Readonly<Record<string, string>> = ENV): Promise<string> {
  const error = await loadConfiguration(file, env).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  return (error as Error).message;
}

test.describe('a sign-in module', () => {
  const withModule = { signIn: { form: SELECTORS.login, module: './sign-in.ts' } };

  test('signs in and decides on consent', async ({ browser }) => {
    await withGround(withModule, async (ground) => {
      const { directory, running } = ground;
      writeFileSync(
        join(directory, 'sign-in.ts'),
        `import type { Page } from '@playwright/test';
export async function signIn(page: Page, { login, password, type }): Promise<void> {
  await type(page.locator('${SELECTORS.login}'), login);
  await page.locator('${SELECTORS.next}').click();
  await type(page.locator('${SELECTORS.password}'), password);
  await page.locator('${SELECTORS.signIn}').click();
}
export async function consent(page: Page, decision: string): Promise<void> {
  await page.locator(\`button[value=\${decision === 'grant' ? 'allow' : 'deny'}]\`).press('Enter');
}
`,
      );
      expect(await walked(browser, ground)).toBe('a token');
      expect(await passwordsSent(running)).toBe(1);
    });
  });

  test('may end before a script of the page has submitted the form', async ({ browser }) => {
    const onBothPages = { signIn: { ...withModule.signIn, form: 'input:not([type=hidden])' } };
    await withGround(onBothPages, async (ground) => {
      writeFileSync(
        join(ground.directory, 'sign-in.ts'),
        `export async function signIn(page, { login, password, type }) {
  await type(page.locator('${SELECTORS.login}'), login);
  await page.locator('${SELECTORS.next}').click();
  await type(page.locator('${SELECTORS.password}'), password);
  await page.evaluate(() => { setTimeout(() => document.querySelector('${SELECTORS.signIn}').click(), 300); });
}
export async function consent(page) { await page.locator('button[value=allow]').press('Enter'); }
`,
      );
      expect(await walked(browser, ground)).toBe('a token');
    });
  });

  test('may decide on consent alone, beside steps that sign in', async ({ browser }) => {
    const steps = [
      { fill: SELECTORS.login, with: 'login' },
      { click: SELECTORS.next },
      { fill: SELECTORS.password, with: 'password' },
      { click: SELECTORS.signIn },
    ] satisfies SignInStep[];
    const decides = "export const consent = (page) => page.locator('button[value=allow]').press('Enter');";
    await withGround({ signIn: { ...withModule.signIn, steps } }, async (ground) => {
      writeFileSync(join(ground.directory, 'sign-in.ts'), decides);
      expect(await walked(browser, ground)).toBe('a token');
    });
    writeFileSync(test.info().outputPath('sign-in.ts'), decides);
    expect(await refusal(written(withModule.signIn))).toContain(
      'signIn.module: expected a module that exports `signIn(page, credentials)` too',
    );
  });

  test('that throws is told as it says, and nothing is tried again', async ({ browser }) => {
    await withGround(withModule, async (ground) => {
      writeFileSync(
        join(ground.directory, 'sign-in.ts'),
        'export async function signIn(): Promise<void> { throw new Error("no such tenant"); }',
      );
      expect(await walked(browser, ground)).toContain('`signIn` of `signIn.module` threw: no such tenant');
    });
  });

  for (const [title, content, says] of [
    ['is not there', undefined, 'got no such file'],
    ['exports something else', 'export const login = 1;', 'one that exports login'],
    ['cannot be loaded', 'throw new Error("out of order");', 'one that cannot be loaded: Error at line 1'],
  ] as const) {
    test(`that ${title} is refused before anything is sent`, async () => {
      if (content !== undefined) writeFileSync(test.info().outputPath('sign-in.ts'), content);
      const message = await refusal(written(withModule.signIn));
      expect(message).toContain('signIn.module: expected a module that exports a function');
      expect(message).toContain(says);
    });
  }
});

test('no way to sign in, or a passphrase that is too short, is refused', async () => {
  expect(await refusal(written({ form: '#login' }))).toContain('signIn: expected a way to sign in');
  const short = { ...ENV, SESSION_PASSPHRASE: 'short' };
  const message = await refusal(written({ form: '#login', session: SESSION }), short);
  expect(message).toContain('signIn.session.passphrase: expected at least 12 characters, got 5 characters');
});

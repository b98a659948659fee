import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { networkSteps, skewEnd } from '../../../src/commands/doctor/network.ts';
import { checkSteps, type StepEnd } from '../../../src/commands/doctor/steps.ts';
import { unlessPlain } from '../../../src/document/input/shell-quotes.ts';
import { type Unreachable, unreachable } from '../../../src/http/unreachable.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { connectionOptionsOf, liveTarget } from '../../../src/service/live.ts';
import { runHere } from '../../support/command-here.ts';
import { makeCertificates, makeExpiredCertificate } from '../../support/independent-service/certificates.ts';
import type { KeyAndCertificate } from '../../support/independent-service/listener.ts';
import {
  type RunningIndependentService,
  startIndependentService,
} from '../../support/independent-service/start.ts';
import { Walk } from '../../support/independent-service/walk.ts';
import { independentServiceConfiguration, writeLiveConfiguration } from '../../support/live-config.ts';
import { onLoopback } from '../../support/on-loopback.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

const own = (name: string) => test.info().outputPath(name);

test.describe('the command', () => {
  let running: RunningIndependentService;
  test.beforeEach(async () => {
    running = await startIndependentService({});
  });
  test.afterEach(() => running.stop());

  /** Runs `doctor` on the independent service; which steps passed, which failed. */
  async function doctor(
    change: Partial<ConfigurationFile>,
    variables: Readonly<Record<string, string | undefined>>,
    ...args: readonly string[]
  ) {
    const { file, env } = writeLiveConfiguration(running.ready, own('.'), change);
    const end = await runHere(['doctor', '--target', file, '--report', own('report'), ...args], {
      ...env,
      ...variables,
    });
    const steps = (mark: string) =>
      [...end.stdout.matchAll(new RegExp(`^ {2}${mark} +([a-z-]+(?: page)?)`, 'gm'))].map(([, name]) => name);
    return { ...end, file, ok: steps('ok'), failed: steps('FAIL') };
  }

  test('changes nothing unless it is asked to, and says what a run would change', async () => {
    const { code, stdout, file, ok, failed } = await doctor({}, {});
    expect(ok).toEqual(['schema', 'variables', 'certificates', 'gateway', 'clock', 'authorize page']);
    expect(failed).toEqual([]);
    expect(stdout).toContain(`assigns and unassigns users ${running.ready.users.join(', ')}`);
    expect(stdout).toMatch(
      /sends about \d{3,4} requests in \d+ min, and 800 to explore unless `--explore` says otherwise \(at most \d+\)/,
    );
    // The first word of an indented line is empty.
    for (const line of stdout.split('\n')) expect(line.split(/\s+/).length, line).toBeLessThanOrEqual(26);
    expect(stdout).not.toContain(running.ready.owner.password);
    const hint =
      /^Record before anything grants: `\S+.* observe --target (.+)`.*docs\/record-before-retirement\.md$/m;
    expect(hint.exec(stdout)?.[1]).toBe(unlessPlain(file));
    const [, closing = ''] = stdout.split(/\n {2}ok {4}authorize page.*\n(?: {8}.*\n)*/);
    expect(closing.trim().split('\n').length, closing).toBeLessThanOrEqual(8);
    expect(closing).toMatch(
      /^the network and the authorize page are ready; the sign-in was not tried \(exit 0\)$/m,
    );
    expect(code).toBe(0);
    // Three looks at the authorization address, the last one with a browser.
    const received = await running.received();
    expect(received.every((line) => line.startsWith('GET '))).toBe(true);
    expect(received.filter((line) => line === 'GET /oauth/authorize')).toHaveLength(3);
  });

  test('a project that the service does not know is named by its key, that of the lock too', async () => {
    const lock = { project: 'prj-unknown', user: running.ready.lockUser };
    const { failed, stdout } = await doctor({ lock }, {}, '--walk');
    expect(failed, stdout).toEqual(['users']);
    expect(stdout).toMatch(
      /\(`lock\.project`\): .*\n +fix: correct that key, or let `owner` see the project\n/,
    );
  });

  test('with --walk signs in and reads lists; an own user who is assigned fails it, and nobody is changed', async () => {
    const { ready } = running;
    const walk = new Walk(ready);
    const token = await walk.accessToken();
    await walk.resource('PUT', `${ready.projects[1]}/assigned_users/${ready.users[1]}`, token);
    const { code, stdout, ok, failed } = await doctor({}, {}, '--walk');
    expect(ok.slice(-4)).toEqual(['sign-in', 'redirect', 'token', 'list']);
    expect(failed).toEqual(['users']);
    expect(stdout).toMatch(
      /fix: under way: wait, or set `lock.waitSeconds`\n +killed: `npx legacy-conformance sweep --target .+json/,
    );
    expect(code).toBe(3);
    const received = await running.received();
    expect(received.filter((line) => /^(PUT|DELETE)/.test(line))).toHaveLength(1);
  });

  test(
    'with --walk tries every user, project and redirect address, and leaves no user assigned',
    PROVE,
    async () => {
      const { code, stdout, ok, failed } = await doctor({}, {}, '--walk');
      expect(failed, stdout).toEqual([]);
      expect(ok.slice(-2)).toEqual(['settings', 'assign']);
      expect(stdout).toMatch(/^ready \(exit 0\)$/m);
      const received = await running.received();
      const { users, projects } = running.ready;
      const put = (project: string, user: string) =>
        received.filter((one) => one.startsWith('PUT') && one.includes(`${project}/assigned_users/${user}`));
      for (const user of users) expect(put(projects[0], user)).toHaveLength(1);
      expect(put(projects[1], users[0])).toHaveLength(1);
      // Each user once, the first in the other project too, and the lock.
      expect(received.filter((line) => line.startsWith('DELETE'))).toHaveLength(users.length + 2);
      expect(code).toBe(0);
    },
  );

  test('a module that decides needs the browser each time, for which a budget may be too small', async () => {
    await running.stop();
    running = await startIndependentService({ INDEPENDENT_SERVICE_CONSENT: 'always' });
    const decides = `export const consent = (page, decision) =>
  page.locator(\`button[value=\${decision === 'grant' ? 'allow' : 'deny'}]\`).press('Enter');`;
    writeFileSync(own('decide.mjs'), decides);
    const { signIn } = independentServiceConfiguration(running.ready);
    const budget = { requests: 3_000 };
    const { failed, stdout, code } = await doctor(
      { signIn: { ...signIn, module: './decide.mjs' }, budget },
      {},
      '--walk',
    );
    expect(failed, stdout).toEqual(['settings']);
    expect(stdout).toMatch(/the browser alone can grant, with about \d+ requests each time/);
    expect(stdout).toMatch(/fix: set `budget\.requests` to \d{4,5}\n/);
    expect(code).toBe(3);
  });

  const broken: readonly {
    readonly title: string;
    readonly change?: (ready: RunningIndependentService['ready']) => Partial<ConfigurationFile>;
    readonly variables?: Readonly<Record<string, string | undefined>>;
    readonly failed: string;
    readonly says: string;
  }[] = [
    {
      title: 'a client id that nobody knows',
      change: ({ application }) => ({
        application: {
          clientId: 'nobody',
          clientSecret: { env: 'STAGING_CLIENT_SECRET' },
          redirectUris: [...application.redirectUris],
        },
      }),
      failed: 'authorize page',
      says: 'fix: correct `application.clientId`',
    },
    {
      title: 'a third user who does not exist',
      change: ({ users }) => ({ users: [users[0], users[1], 'nobody'] }),
      failed: 'assign',
      says: 'fix: correct this id in `users`',
    },
    {
      title: 'a second redirect address that is not registered',
      change: ({ application }) => ({
        application: {
          clientId: application.clientId,
          clientSecret: { env: 'STAGING_CLIENT_SECRET' },
          redirectUris: [application.redirectUris[0] ?? '', 'https://elsewhere.example/callback'],
        },
      }),
      failed: 'settings',
      says: 'fix: register it there, or remove it here',
    },
    {
      title: 'a wrong password',
      variables: { STAGING_PASSWORD: 'not the password' },
      failed: 'sign-in',
      says: 'which says "That was not it."\n                        fix: check the login, the password and the steps of `signIn`; if that is right, do `signIn.steps` by hand in a browser, and correct what differs\n',
    },
    {
      title: 'an unknown login',
      change: () => ({ owner: { login: 'stranger@example.test', password: { env: 'STAGING_PASSWORD' } } }),
      failed: 'sign-in',
      says: 'which says "We know nobody by that name."\n                        fix: check `owner.login`; if that is right',
    },
    {
      title: 'swapped addresses',
      change: ({ authUrl, baseUrl }) => ({ authUrl: baseUrl, baseUrl: authUrl }),
      failed: 'authorize page',
      says: 'fix: check `authUrl`: it must be the address before `/oauth/authorize`, and `baseUrl` the one of the resource API; they may be swapped',
    },
    {
      title: 'a consent button that is called otherwise',
      change: () => ({ consent: { grant: { button: 'Authorize' }, shown: 'once', settleMs: 500 } }),
      failed: 'sign-in',
      says: 'has no button "Authorize" (`consent.grant`); it has buttons "No, thanks", "Allow access"\n                        fix: correct `consent.grant`',
    },
    {
      title: 'a wrong client secret',
      variables: { STAGING_CLIENT_SECRET: 'not the secret of this client' },
      failed: 'token',
      says: 'fix: check `application.clientSecret`',
    },
  ];
  for (const [{ title, change, variables = {}, failed, says }, details] of firstInTest(broken, 1)) {
    test(`${title}: 3 at ${failed}, and what to do`, details, async () => {
      const seen = await doctor(change?.(running.ready) ?? {}, variables, '--walk');
      expect(seen.failed, seen.stdout).toEqual([failed]);
      expect(seen.stdout).toContain(says);
      // oidc-provider puts the id of its session into the path of each page.
      expect(seen.stdout).not.toMatch(/signin\/[\w-]{8}/);
      expect(seen.code).toBe(3);
    });
  }

  test('a variable that is not set: 2, after the schema held, and nothing was sent', async () => {
    const { code, stderr, ok } = await doctor({}, { STAGING_PASSWORD: undefined });
    expect(ok).toEqual(['schema']);
    expect(stderr).toContain('STAGING_PASSWORD');
    expect(code).toBe(2);
    expect(await running.received()).toEqual([]);
  });
});

test.describe('a step of the network', () => {
  /** Checks the steps that need no browser, for a service at an address; the last one. */
  async function last(authUrl: string, change: Partial<ConfigurationFile> = {}, name?: string) {
    const file = own('conformance.config.json');
    writeFileSync(file, JSON.stringify({ ...STAGING, authUrl, baseUrl: authUrl, ...change }));
    const configuration = await loadConfiguration(file, { CLIENT_SECRET: 'client-S3cret-of-staging' });
    const target = await liveTarget(configuration);
    const checked: { readonly name: string; readonly end: StepEnd }[] = [];
    try {
      const steps = networkSteps(configuration, connectionOptionsOf(configuration), target);
      await checkSteps(steps, (name, end) => checked.push({ name, end }), {});
    } finally {
      await target.close();
    }
    const end = checked.findLast((one) => name === undefined || one.name === name);
    if (end === undefined) throw new Error('no step was checked');
    return end;
  }

  test('a name that does not resolve', async () => {
    expect(await last('https://auth.staging.invalid')).toMatchObject({
      name: 'certificates',
      end: { ok: false, remedy: expect.stringContaining('correct the host name in `authUrl`') },
    });
  });

  test('a port on which nobody listens', async () => {
    const plain = await last('http://127.0.0.1:1');
    expect(plain).toMatchObject({ name: 'gateway', end: { ok: false } });
    expect(await last('https://127.0.0.1:1')).toMatchObject({ name: 'certificates', end: { ok: false } });
  });

  test('a service that is gone at a later step is the reason, with its fix', async () => {
    const gone = unreachable('http://127.0.0.1:1/', 'ECONNREFUSED').named(
      new Map([['http://127.0.0.1:1', 'authUrl']]),
    );
    const ends: StepEnd[] = [];
    const end = { ok: false, observed: 'expected a form', remedy: 'correct `signIn`' } as const;
    const steps = (cause?: Unreachable) => [
      { name: 'sign-in', check: async () => ({ ...end, ...(cause && { cause }) }) },
    ];
    await checkSteps(steps(gone), (_, reached) => ends.push(reached), {});
    await checkSteps(steps(), (_, reached) => ends.push(reached), {});
    expect(ends).toEqual([
      expect.objectContaining({
        observed: 'the service at http://127.0.0.1:1 (`authUrl`) refuses connections',
        remedy: expect.stringMatching(/^check that the service runs.*`authUrl`/),
      }),
      end,
    ]);
  });

  for (const [what, status, own] of [
    ['a redirect', 302, '`authUrl` and `baseUrl`'],
    ['a page, which may be a portal,', 200, '`baseUrl`'],
  ] as const)
    test(`${what} at authUrl: the step \`gateway\` names ${own} as the service's`, async () => {
      const service = createServer((req, res) => {
        if (req.url?.startsWith('/v2')) res.writeHead(401).end();
        else
          res.writeHead(status, { Location: '/sign-in', 'Content-Type': 'text/html' }).end('<p>Welcome</p>');
      });
      const { origin, close } = await onLoopback(service);
      const { end } = await last(origin, {}, 'gateway').finally(close);
      expect(end).toMatchObject({ ok: true, observed: `the service itself answers at ${own}` });
    });

  test('a clock that is ten minutes off, unless the configuration allows it', async () => {
    const server = createServer((_, res) => {
      res.setHeader('Date', new Date(Date.now() + 600_000).toUTCString()).end();
    });
    const { origin: address, close } = await onLoopback(server);
    try {
      const { name, end } = await last(address);
      expect(name).toBe('clock');
      expect(end).toMatchObject({ ok: false });
      expect(end.observed).toMatch(/is (599|600|601) s ahead of ours/);
      expect((await last(address, { skewSeconds: 600 })).end.ok).toBe(true);
    } finally {
      await close();
    }
  });

  for (const seconds of [0, 5, -5, 8, -8])
    test(`a clock ${seconds} s off: skewSeconds 5 and one more are allowed`, () =>
      expect(skewEnd(seconds, 5).ok).toBe(Math.abs(seconds) <= 6));

  test.describe('certificates', () => {
    async function withCertificate({ key, cert }: KeyAndCertificate, work: (at: string) => Promise<void>) {
      const { origin, close } = await onLoopback(createTlsServer({ key, cert }, (_, res) => res.end()));
      await work(origin).finally(close);
    }

    test('that nobody vouches for, and how to have one vouched for', async () => {
      const { caFile, ...identity } = await makeCertificates(own('.'));
      await withCertificate(identity, async (address) => {
        const { name, end } = await last(address);
        expect(name).toBe('certificates');
        expect(end).toMatchObject({ ok: false, remedy: expect.stringContaining('`tls.caFile`') });
        expect((await last(address, { tls: { caFile } })).end.ok).toBe(true);
      });
    });

    test('that has expired', async () => {
      const { caFile, ...identity } = await makeExpiredCertificate(own('expired'));
      await withCertificate(identity, async (address) => {
        const { end } = await last(address, { tls: { caFile } });
        expect(end).toMatchObject({ ok: false, remedy: expect.stringContaining('renew the certificate') });
      });
    });
  });
});

const STAGING: Partial<ConfigurationFile> = {
  name: 'staging',
  application: {
    clientId: 'a',
    clientSecret: { env: 'CLIENT_SECRET' },
    redirectUris: ['https://client.example/'],
  },
  owner: { login: 'owner@staging.example' },
  projects: ['1'],
  users: ['2'],
  lock: false as const,
  signIn: { form: '#login', steps: [{ fill: '#login', with: 'login' }] },
  consent: { grant: '#grant', shown: 'once' },
};

for (const [demand, accepted] of [
  ['state', 'with a `state` parameter'],
  ['percent20', 'with `%20` in place of the plus sign'],
] as const) {
  test(`a service that demands more than clause 4.1 names is ready, with a note: ${demand}`, async () => {
    const running = await startIndependentService({ INDEPENDENT_SERVICE_DEMANDS: demand });
    try {
      const { file, env } = writeLiveConfiguration(running.ready, own('.'));
      const { code, stdout } = await runHere(['doctor', '--target', file, '--report', own('report')], env);
      expect(stdout).toMatch(/ok {4}authorize page/);
      expect(stdout).toContain(`accepted ${accepted}`);
      expect(code).toBe(0);
    } finally {
      await running.stop();
    }
  });
}

test('--walk fails a limit of the service that a run would meet, and would not wait for', async () => {
  const running = await startIndependentService({
    INDEPENDENT_SERVICE_LIMITS: 'POST=60',
    INDEPENDENT_SERVICE_LIMIT_SECONDS: '900',
  });
  try {
    const { file, env } = writeLiveConfiguration(running.ready, own('.'));
    const { code, stdout } = await runHere(
      ['doctor', '--target', file, '--report', own('report'), '--walk'],
      env,
    );
    expect(stdout).toMatch(
      /FAIL {2}settings .*the service says that \d+ more POST requests may come within \d+ s/,
    );
    expect(stdout).toContain('fix: have it lift that limit for the suite');
    expect(code).toBe(3);
  } finally {
    await running.stop();
  }
});

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadApp } from '../../src/client-checks/app-file.ts';
import { visitService } from '../../src/client-checks/drive/browse.ts';
import {
  type Call,
  ClientUndrivable,
  type ServiceSide,
  StartedInBackground,
  type UserSession,
} from '../../src/client-checks/drive/client-driver.ts';
import { clientClock, findFaketime } from '../../src/client-checks/drive/clock.ts';
import { ConfiguredDriver } from '../../src/client-checks/drive/configured-driver.ts';
import { Ports } from '../../src/client-checks/drive/ports.ts';
import type { ActResult } from '../../src/client-checks/evaluate/episode.ts';
import { runSituations, type SituationRun } from '../../src/client-checks/situations/run-situations.ts';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import { startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { CookieJar } from '../../src/service/agent/cookie-jar.ts';
import { evaluateEpisodes } from '../support/evaluate-episodes.ts';
import { Application } from '../support/faulty-client/application.ts';
import { PROVE } from '../support/prove.ts';

/** The suite drives an application: the start of a sign-in, acts that are no evidence, words for an act that failed. */

const SERVICE: ServiceSide = {
  authUrl: 'http://127.0.0.1:9',
  baseUrl: 'http://127.0.0.1:9',
  clientId: 'ours',
  clientSecret: 'secret-of-ours',
  redirectUri: 'http://127.0.0.1:1/callback',
  projectId: '1041',
  userId: '505',
};

const FIRST = {
  name: 'first',
  owner: 'ada@example.test',
  jar: new CookieJar(),
} as const;

const PATIENT = { ...FIRST, isPatient: true } as const;

const LIST = { operation: 'list', project: '1041', user: '505' } as const;
const ASSIGN = { ...LIST, operation: 'assign' } as const;

const ROUTES = `
  '/form': () => page('<form method=post action=/begin><input type=hidden name=csrf value=t0ken><button>Sign in</button></form>'),
  '/forms': () => page('<form action=/search><input name=q></form><form id=go method=post action=/begin><input type=hidden name=csrf value=t0ken><button>Sign in</button></form>'),
  '/waiting': () => page('<META HTTP-EQUIV=Refresh CONTENT="0; URL=/away">'),
  '/waiting-by-header': () => response.writeHead(200, { Refresh: '0; url=/away' }).end('<h1>One moment</h1>'),
  '/away': () => response.writeHead(302, { Location: process.env.LEGACY_AUTH_URL + '/oauth/authorize?state=1' }).end(),
  '/moved': () => page('<form method=post action=/kept><input type=hidden name=csrf value=t0ken><button>Sign in</button></form>'),
  '/kept': () => response.writeHead(307, { Location: '/begin' }).end(),
  '/straight': () => page('<form method=post action=/posted><input type=hidden name=csrf value=t0ken></form>'),
  '/own': () => page('<form method=post action="' + process.env.LEGACY_AUTH_URL + '/oauth/authorize?state=1"><input type=hidden name=csrf value=t0ken></form>'),
  '/posted': () => response.writeHead(307, { Location: process.env.LEGACY_AUTH_URL + '/oauth/authorize?state=1' }).end(),
  '/put': () => response.writeHead(302, { Location: '/method' }).end(),
  '/put-303': () => response.writeHead(303, { Location: '/method' }).end(),
  '/method': () => response.end(request.method),
  '/begin': () => body === 'csrf=t0ken' ? response.writeHead(303, { Location: process.env.LEGACY_AUTH_URL + '/oauth/authorize?state=1' }).end() : response.writeHead(403).end(),
  '/callback': () => { console.error('at store.js:7\\nEROFS: read-only file system'); response.writeHead(500).end('<h1>Your sign-in was not saved</h1>'); },
  '/saved': () => { require('node:fs').writeFileSync('saved', 'x'.repeat(5_000)); response.end(); },
  '/late': () => setTimeout(() => response.end('late'), 1_500),
  '/never': () => {},
  '/busy': () => response.writeHead(503).end(),
  '/words': () => response.writeHead(500).end('<p>Please try again.'),
  '/cut': () => request.socket.destroy(),
  '/closed': () => { server.close(); response.end(); },
  '/ended': () => process.exit(3),
`;

const SERVER = `
  const server = require('node:http').createServer(async (request, response) => {
    const page = (html) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
    if (request.url.includes('user=')) console.log(request.url);
    let body = ''; for await (const chunk of request) body += chunk;
    const routes = {${ROUTES}};
    (routes[request.url.split('?')[0]] ?? (() => response.end('here')))();
  });
  server.listen(process.env.PORT, '127.0.0.1');
  setInterval(() => {}, 1000);
`;

/** The application, started; `call` is the path that a list asks for. */
async function started(paths: {
  readonly connect?: string;
  readonly submit?: string;
  readonly call?: string;
  readonly contains?: string;
  readonly deadlineSeconds?: number;
  readonly assigned?: string;
  readonly clock?: 'node';
  /** Runs first in the server. */
  readonly first?: string;
}) {
  const folder = test.info().outputPath('');
  writeFileSync(join(folder, 'server.cjs'), (paths.first ?? '') + SERVER);
  const at = 'http://127.0.0.1:{port}';
  const { connect = '/form', submit, call = '/', contains, deadlineSeconds, assigned } = paths;
  const file = join(folder, 'app.config.json');
  writeFileSync(
    file,
    JSON.stringify({
      name: 'an application',
      start: { command: `exec "${process.execPath}" server.cjs`, ready: `${at}/` },
      redirectUri: `${at}/callback`,
      connect: { visit: `${at}${connect}`, ...(submit === undefined ? {} : { submit }) },
      calls: {
        list: { request: `GET ${at}${call}` },
        assign: {
          request: `PUT ${at}${call}`,
          ...(assigned === undefined ? {} : { success: { contains: assigned } }),
        },
      },
      variables: { PORT: '{port}' },
      ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
      ...(contains === undefined ? {} : { success: { contains } }),
    }),
  );
  const ports = new Ports();
  const client = new ConfiguredDriver(await loadApp(file), {
    folder,
    port: await ports.take(),
    clock: paths.clock ?? 'none',
    libfaketime: undefined,
  });
  const stop = () => client.stop().then(() => ports.close());
  await client.start(SERVICE).catch((error) => stop().then(() => Promise.reject(error)));
  return { client, stop };
}

/** Returns the evidence of one act on an application that starts for it alone. */
async function seenOf(
  paths: Parameters<typeof started>[0],
  act: (client: ConfiguredDriver) => Promise<ActResult>,
) {
  const { client, stop } = await started(paths);
  return act(client).finally(stop);
}

test('a sign-in that begins with a page: its one form, with the hidden fields, repeated after a 307; of several the one that is named; its refresh', async () => {
  for (const paths of [
    { connect: '/form' },
    { connect: '/moved' },
    { connect: '/waiting' },
    { connect: '/waiting-by-header' },
    { connect: '/forms', submit: '#go' },
    { connect: '/forms', submit: '#go button' },
  ]) {
    const { client, stop } = await started(paths);
    expect(await client.connect(FIRST)).toMatchObject({
      address: 'http://127.0.0.1:9/oauth/authorize?state=1',
    });
    await stop();
  }
  const { client, stop } = await started({ connect: '/forms' });
  const { address, detail } = await client.connect(FIRST);
  expect([address, detail]).toEqual([undefined, expect.stringContaining('single form (connect.submit)')]);
  await stop();
});

test('a form that a 307 repeats at the service, or that goes there itself, is posted there', async () => {
  for (const connect of ['/straight', '/own']) {
    const { client, stop } = await started({ connect });
    const form = { method: 'POST', url: 'http://127.0.0.1:9/oauth/authorize?state=1', body: 'csrf=t0ken' };
    expect(await client.connect(FIRST)).toMatchObject({ address: form.url, form });
    await stop();
  }
  const emulator = await startEmulator();
  emulator.control.autoConsent.set(emulator.seed.owners[0]?.email);
  const led = await visitService({ method: 'POST', url: emulator.authorizeUrl, body: 'csrf=t0ken' });
  expect(led).toEqual({ address: expect.stringContaining('code=') });
  const entries = emulator.control.journal.entries();
  const episode = { situation: 'flow', steps: [], entries, owners: { first: '', second: '' } } as const;
  expect(evaluateEpisodes([episode]).of('sign-in.four-parameters')).toMatchObject({
    kind: 'broken',
    lines: [expect.stringContaining('the method POST')],
  });
  await emulator.close();
});

test('a redirect keeps any method but POST, unless it is a 303', async () => {
  for (const [path, method] of [
    ['/put', 'PUT'],
    ['/put-303', 'GET'],
  ] as const) {
    const seen = seenOf({ call: path, assigned: method }, (client) => client.call(FIRST, ASSIGN));
    expect(await seen).toMatchObject({ shown: true });
  }
});

test('a sign-in that failed says where, with which status and words, and what the application printed', async () => {
  const { client, stop } = await started({});
  const seen = await client.callback(FIRST, `${client.redirectUri}?code=the-code-itself&state=1`);
  expect(seen).toEqual({
    outcome: 'error',
    detail: 'answered 500',
    status: 500,
    why: `at ${client.redirectUri}; "Your sign-in was not saved"; it printed at store.js:7 EROFS: read-only file system`,
  });
  await stop();
});

test('an answer that asks for another try is known by its status, or by its words', async () => {
  for (const [call, asks] of [
    ['/busy', { asksAgain: true }],
    ['/words', { asksAgain: true }],
    ['/ended', {}],
  ] as const)
    expect(await seenOf({ call }, (client) => client.call(FIRST, LIST))).toMatchObject({
      outcome: 'error',
      ...asks,
    });
  expect(await seenOf({ call: '/ended' }, (client) => client.call(FIRST, LIST))).not.toHaveProperty(
    'asksAgain',
  );
});

test('the browsers of two users begin their sign-in at the addresses of two users', async () => {
  const connect = '/form?user={session}';
  const { client, stop } = await started({ connect });
  const visited: string[] = [];
  await client.connect({ ...FIRST, name: 'second' });
  await client.connect(FIRST);
  visited.push(
    ...client
      .output()
      .split('\n')
      .filter((line) => line.startsWith('/form')),
  );
  expect(visited).toEqual(['/form?user=second', '/form?user=first']);
  await stop();
});

test('an application that answers after its deadline does not hang, if the suite waits on', async () => {
  const called = (call: string, session: UserSession) =>
    seenOf({ call, deadlineSeconds: 1 }, (client) => client.call(session, LIST));
  const [late, hung, impatient] = await Promise.all([
    called('/late', PATIENT),
    called('/never', PATIENT),
    called('/late', FIRST),
  ]);
  expect(late).toMatchObject({ outcome: 'ok' });
  expect(hung).toEqual({ outcome: 'no-answer', detail: 'got no answer within 3 s' });
  expect(impatient).toEqual({ outcome: 'no-answer', detail: 'got no answer within 1 s (deadlineSeconds)' });
});

test('a callback shows a success where the text that success.contains names is in the answer', async () => {
  const done = (client: ConfiguredDriver) => client.callback(FIRST, `${client.redirectUri}/done`);
  expect(await seenOf({ contains: 'here' }, done)).toMatchObject({ outcome: 'ok', shown: true });
  const detail = 'answered 200, without "there" (success.contains)';
  expect(await seenOf({ contains: 'there' }, done)).toMatchObject({ outcome: 'error', detail });
  // The text is the sign-in's alone.
  const list = (client: ConfiguredDriver) => client.call(FIRST, LIST);
  const seen = { outcome: 'ok', detail: 'answered 200', status: 200 };
  expect(await seenOf({ contains: 'there' }, list)).toEqual({ ...seen, page: expect.any(String) });
  expect(await seenOf({}, done)).toEqual(seen);
});

test('a change shows a success where its own text is in the answer; a text of the list shows none', async () => {
  for (const [assigned, shown] of [
    ['here', { shown: true }],
    [undefined, {}],
  ] as const) {
    const seen = await seenOf({ assigned }, (client) => client.call(FIRST, ASSIGN));
    const page = expect.any(String);
    expect(seen).toEqual({ outcome: 'ok', detail: 'answered 200', status: 200, page, ...shown });
  }
});

test('a call that reaches no living application is no evidence; one that is cut off, or ends the application, is', async () => {
  const closed = await started({ call: '/closed' });
  expect(await closed.client.call(FIRST, LIST)).toMatchObject({ outcome: 'ok' });
  await expect(closed.client.call(FIRST, LIST)).rejects.toThrow(ClientUndrivable);
  await closed.stop();
  const cut = await seenOf({ call: '/cut' }, (client) => client.call(FIRST, LIST));
  expect(cut).toMatchObject({ outcome: 'error', detail: expect.stringContaining('cut') });
  const again = async (client: ConfiguredDriver) => {
    await client.call(FIRST, LIST);
    return client.call(FIRST, LIST);
  };
  const detail = expect.stringContaining('the application ended (exit code 3)');
  expect(await seenOf({ call: '/ended' }, again)).toMatchObject({ outcome: 'error', detail });
});

test('on a full disk an application saves nothing, and saves again after the next start', async () => {
  const { client, stop } = await started({ call: '/saved' });
  await client.restart(8);
  expect(await client.call(FIRST, LIST)).toMatchObject({ outcome: 'error' });
  await client.restart();
  expect(await client.call(FIRST, LIST)).toMatchObject({ outcome: 'ok' });
  await stop();
});

test('an application that does not start again is told from one that ended', async () => {
  const { client, stop } = await started({});
  writeFileSync(test.info().outputPath('server.cjs'), 'process.exit(7);');
  await expect(client.restart()).rejects.toThrow(/exit code 7/);
  const detail = 'got no answer: the application did not start again';
  expect(await client.call(FIRST, LIST)).toMatchObject({ outcome: 'error', detail });
  await stop();
});

class Alone extends Application {
  static running = 0;
  static most = 0;
  readonly #startMs: number;

  constructor(startMs = 0) {
    super('sound');
    this.#startMs = startMs;
  }

  override async start(service: ServiceSide): Promise<void> {
    Alone.running += 1;
    Alone.most = Math.max(Alone.most, Alone.running);
    await new Promise((resolve) => setTimeout(resolve, this.#startMs));
    if (Alone.running > 1 && this.#startMs === 0) throw new ClientUndrivable('nothing answered within 30 s');
    return super.start(service);
  }

  override async stop(): Promise<void> {
    Alone.running = 0;
    return super.stop();
  }
}

/** One call takes longer than its deadline, the first time; what it asked for is sent during the next one. */
class SlowOnce extends Application {
  static slow = false;
  #late: Promise<ActResult> | undefined;

  constructor() {
    super('sound');
  }

  override async call(session: UserSession, call: Call): Promise<ActResult> {
    if (SlowOnce.slow && call.operation === 'assign') {
      SlowOnce.slow = false;
      this.#late = new Promise((resolve) => setImmediate(resolve)).then(() => super.call(session, call));
      return { outcome: 'no-answer', detail: 'got no answer within 10 s' };
    }
    const [seen] = await Promise.all([super.call(session, call), this.#late]);
    return seen;
  }
}

const RUN = {
  situations: ['flow', 'forbidden', 'retired', 'list-empty'],
  journalLimit: 10_000,
  profile: undefined,
  retryAfterSeconds: 1,
  heldMs: 400,
  realTime: false,
  workers: 1,
} as const;

async function ran(options: Partial<SituationRun> & Pick<SituationRun, 'freshClient'>) {
  const ports = new Ports();
  return runSituations({ ...RUN, ports, ...options }).finally(() => ports.close());
}

test('what a busy machine made too slow comes about alone; a slow start leaves room for fewer side by side', async () => {
  Alone.running = 0;
  const busy = await ran({ workers: 3, freshClient: async () => new Alone() });
  expect(Alone.most).toBeGreaterThan(1);
  expect(busy.episodes.flatMap(({ gap }) => gap ?? [])).toEqual([]);
  Alone.most = 0;
  const slow = async (situation: string) => new Alone(situation === 'flow' ? 2_100 : 1);
  await ran({ workers: 3, freshClient: slow });
  expect(Alone.most).toBe(1);
});

/** Its start command is seen to have ended when the client is stopped. */
class LeftBehind extends Application {
  static stopped = 0;

  override async stop(): Promise<void> {
    await super.stop();
    LeftBehind.stopped += 1;
    if (LeftBehind.stopped === 1) throw new StartedInBackground('its server goes on answering');
  }
}

test('a server that outlives its start command ends the run, in whatever situation it is seen', async () => {
  const begun: string[] = [];
  const freshClient = async (situation: string) => {
    begun.push(situation);
    return situation === 'forbidden' ? new LeftBehind('sound') : new Application('sound');
  };
  await expect(ran({ freshClient })).rejects.toThrow(StartedInBackground);
  expect([begun, LeftBehind.stopped]).toEqual([['flow', 'forbidden'], 2]);
});

test('a client is asked for ids of the form that its profile has', async () => {
  const situations = ['flow', 'list-empty'] as const;
  const freshClient = async () => new Application('sound');
  const { answers, ...usual } = await loadProfile('doorkeeper-5');
  const opaque = { 'id-forms.project': 'opaque', 'id-forms.user': 'opaque' } as const;
  const profile = { ...usual, answers: { ...answers, ...opaque } };
  const { episodes, stopped } = await ran({ profile, situations, freshClient });
  expect(stopped).toBeUndefined();
  const lists = episodes.flatMap(({ entries }) =>
    entries.filter(({ target }) => target.includes('/projects/')),
  );
  expect(lists.map(({ status }) => status)).not.toContain(404);
  expect(lists.length).toBeGreaterThan(1);
  for (const { target } of lists) expect(target).toMatch(/projects\/prj_/);
});

test(
  'what is sent after an act was given up is not held against the next one; the situation is repeated alone',
  PROVE,
  async () => {
    const evaluated = async (workers: number) => {
      SlowOnce.slow = true;
      const situations = ['flow', 'second-user-meanwhile'] as const;
      const freshClient = async (situation: string) =>
        situation === 'flow' ? new Application('sound') : new SlowOnce();
      const { episodes } = await ran({ situations, workers, freshClient });
      const { evaluated: all } = evaluateEpisodes(episodes);
      return {
        broken: all.filter(({ evaluation }) => evaluation.kind === 'broken'),
        silent: episodes.flatMap(({ steps }) => steps.filter(({ outcome }) => outcome === 'no-answer'))
          .length,
      };
    };
    expect(await evaluated(1)).toEqual({ broken: [], silent: 1 });
    expect(await evaluated(2)).toEqual({ broken: [], silent: 0 });
  },
);

test('libfaketime leaves deadlines in real time, and the fix for other libraries off: with it threads of Ruby hang', () => {
  const { env } = clientClock('faketime', test.info().outputPath(''), '/usr/lib/libfaketimeMT.so.1');
  expect(env).toMatchObject({ FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_FORCE_MONOTONIC_FIX: '0' });
});

test('a program in Python sleeps, waits with a deadline, and sees the age of a file under libfaketime', () => {
  const library = findFaketime();
  test.skip(library === undefined, 'libfaketime is not installed');
  const clock = clientClock('faketime', test.info().outputPath(''), library);
  clock.move(7_300);
  const program =
    'import os, threading, time; time.sleep(0.01); threading.Event().wait(0.01); print(int(time.time())); seen = os.fstat(os.open("new", os.O_CREAT)); print(int(time.time() - seen.st_ctime)); print(seen.st_blksize > 0 and seen.st_mtime_ns // 10**9 == int(seen.st_mtime))';
  const { stdout, stderr } = spawnSync('python3', ['-c', program], {
    encoding: 'utf8',
    cwd: test.info().outputPath(''),
    env: { ...process.env, ...clock.env },
    timeout: 20_000,
  });
  const [now, age] = stdout.split('\n').map(Number);
  expect([stderr, Math.abs(age ?? 99) < 60, stdout.includes('True')]).toEqual(['', true, true]);
  expect(now).toBeGreaterThan(Date.now() / 1_000 + 7_000);
});

test('an application that starts only without the moved clock: the message says so', async () => {
  const starting = started({ clock: 'node', first: 'if (process.env.LEGACY_CLOCK_FILE) process.exit(7);' });
  await expect(starting).rejects.toThrow(/starts without the clock: set `clock` to "none".*exit code 7/);
});

test('an application that is stopped while it starts is not started again', async () => {
  const starts = test.info().outputPath('starts');
  const first = `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'x'); setInterval(() => {}, 1_000); return;`;
  const { client, stop } = await started({ clock: 'node' });
  writeFileSync(test.info().outputPath('server.cjs'), first);
  const again = client.restart();
  await expect.poll(() => existsSync(starts)).toBe(true);
  await stop();
  await expect(again).rejects.toThrow(ClientUndrivable);
  expect(readFileSync(starts, 'utf8')).toBe('x');
});

test('no port is given twice, in one run or in several on one machine, and none is one that the system hands out by itself', async () => {
  const runs = Array.from({ length: 5 }, () => new Ports());
  const taken = await Promise.all(runs.flatMap((ports) => Array.from({ length: 300 }, () => ports.take())));
  expect(new Set(taken).size).toBe(taken.length);
  expect(taken.filter((port) => port < 10_240 || port >= 32_768)).toEqual([]);
  for (const ports of runs) ports.close();
});

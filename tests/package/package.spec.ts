/** The packed package, as an integrator installs it: in an empty project outside the checkout, without a network. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { interfaceText } from '../../scripts/package/interface.ts';
import { ENTRIES, OPTIONAL_PEERS, packageManifest } from '../../scripts/package/manifest.ts';
import { createProgram } from '../../src/cli/program.ts';
import { blocksOf } from '../support/documentation/blocks.ts';
import { startFaultyService } from '../support/faulty-service/service.ts';
import { startIndependentService } from '../support/independent-service/start.ts';
import { onLoopback } from '../support/on-loopback.ts';
import { runAction } from '../support/package/composite-action.ts';
import { type LockFile, lockFor } from '../support/package/lock.ts';
import { buildAndPack, type Packed, Project, writeLocked } from '../support/package/project.ts';
import {
  commandIn,
  importsModule,
  notTried,
  openPlaces,
  runInProject,
  TRIED,
  triedProblem,
} from '../support/package/tried.ts';
import { PROVE } from '../support/prove.ts';
import { browserPath } from '../support/run/browser-path.ts';

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}

/** Bytes of every package that is installed in a `node_modules`, by name; those nested in one are counted with it. */
function installedPackages(modules: string): ReadonlyMap<string, number> {
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : [name],
  );
  return new Map(
    names
      .filter((name) => !name.startsWith('.'))
      .map((name) => [name, bytesOf(join(modules, name))] as const),
  );
}

/** Bytes that an optional package brings beside what is installed without it, as the checkout has it. */
function notInstalledUnasked({ file }: Packed, name: string): number {
  const checkout = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  const own = JSON.parse(readFileSync('dist/package/package.json', 'utf8'));
  const paths = (besides: readonly string[]) =>
    Object.keys(lockFor(checkout, file, own, besides).packages as object);
  const before = new Set(paths([]));
  return paths([name])
    .filter((path) => !before.has(path) && existsSync(path) && path.lastIndexOf('node_modules/') === 0)
    .reduce((sum, path) => sum + bytesOf(path), 0);
}

interface WeightRow {
  readonly what: string;
  readonly bytes: number;
  /** Only in the table of what is always installed. */
  readonly packages: number;
}

/** The two tables of `docs/install.md`: what is always installed, and what is optional. */
function weightTables(page: string): {
  readonly installed: readonly WeightRow[];
  readonly optional: readonly WeightRow[];
} {
  const rows = [...page.matchAll(/^\| (\S[^|]*) \| (\d+\.\d) \|(?: (\d+) \|)?/gm)].map(
    ([, what = '', megabytes, packages]) => ({
      what,
      bytes: Math.round(Number(megabytes) * 1e6),
      packages: packages === undefined ? Number.NaN : Number(packages),
    }),
  );
  return {
    installed: rows.filter(({ packages }) => !Number.isNaN(packages)),
    optional: rows.filter(({ packages }) => Number.isNaN(packages)),
  };
}

/** Bytes that the tarball and its files may have, a fiftieth more than they had last: a file that is packed by mistake shows. */
const MOST_PACKED = 1_140_000;
const MOST_OWN = 4_850_000;

/** Advice if it shows. */
const GROWN =
  'the package has grown: see `npm pack --dry-run ./dist/package` for a file that should not be packed; if all should, raise the limit here and the figure in docs/install.md';

/** Bytes that emulator and `check` may take once they are installed. */
const MOST_INSTALLED = 30_000_000;

/** Bytes by which a figure of the documentation, which has one decimal, may be off. */
const ROUNDED = 60_000;

/** Entries that need no optional package. */
const IMPORTED = Object.keys(ENTRIES);

let folder: string;
let packed: Packed;
let project: Project;
let others: Project[] = [];

/** A further project, removed after the test. */
function newProject(besides: readonly string[] = []): Project {
  const made = new Project(packed, besides);
  others.push(made);
  return made;
}

test.describe.configure({ mode: 'serial' });

test.beforeAll(() => {
  test.setTimeout(180_000);
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  packed = buildAndPack(folder);
  project = new Project(packed);
});
test.afterEach(() => {
  for (const other of others) other.remove();
  others = [];
});
test.afterAll(() => {
  project?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('holds JavaScript, declarations, the specification, and nothing that only development needs', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(packed.size, GROWN).toBeLessThan(MOST_PACKED);
  expect(packed.unpackedSize, GROWN).toBeLessThan(MOST_OWN);
  for (const needed of [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'spec/openapi.yaml',
    'spec/results.schema.json',
  ])
    expect(paths).toContain(needed);
  for (const file of Object.values(ENTRIES)) {
    expect(paths).toContain(`${file}.js`);
    expect(paths).toContain(`${file}.d.ts`);
  }
  expect(paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
  expect(paths.filter((path) => /^(tests\/|examples|docs\/development\/|\.)|\.map$/.test(path))).toEqual([]);
  expect(paths.filter((path) => path.startsWith('scripts/'))).toEqual(['scripts/legacy-conformance.js']);
});

test('every link of its pages leads to a file of the package', () => {
  const root = join(project.folder, 'node_modules/legacy-api-conformance');
  const pages = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.md'));
  expect(pages).toContain('docs/check-a-service.md');
  const dead = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s#]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test('weighs what the documentation says, and no more than it may', () => {
  const { installed, optional } = weightTables(readFileSync('docs/install.md', 'utf8'));
  const sizes = installedPackages(join(project.folder, 'node_modules'));
  const [own, browser] = ['legacy-api-conformance', 'playwright-core'].map((name) => sizes.get(name) ?? 0);
  const together = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(together).toBeLessThan(MOST_INSTALLED);
  const others = together - (own ?? 0) - (browser ?? 0);
  expect(installed.map(({ packages }) => packages)).toEqual([1, 1, sizes.size - 2, sizes.size]);
  for (const [index, size = 0] of [own, browser, others, together].entries())
    expect(
      Math.abs((installed[index]?.bytes ?? 0) - size),
      `${installed[index]?.what}: docs/install.md says ${installed[index]?.bytes}, there are ${size} bytes`,
    ).toBeLessThan(ROUNDED);
  expect(optional.map(({ what }) => what).toSorted()).toEqual(Object.keys(OPTIONAL_PEERS).toSorted());
  for (const { what, bytes } of optional.filter(() => process.platform === 'linux'))
    expect(bytes / notInstalledUnasked(packed, what), what).toBeCloseTo(1, 1);
});

test('has no dependency on a range, and no version but the one of the checkout', () => {
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  const { dependencies, version, private: secret } = packageManifest(own) as Record<string, unknown>;
  expect(version).toBe(own.version);
  expect(secret).toBeUndefined();
  expect(Object.values(dependencies as object).filter((one) => !/^\d+\.\d+\.\d+$/.test(one))).toEqual([]);
});

test('runs its command in a CommonJS project', async () => {
  expect((await project.run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const began = await project.run('init');
  expect(began.stdout).toContain('wrote conformance.config.mts');
  const doctor = await project.run('doctor', '--target', 'conformance.config.mts');
  expect(doctor.code, doctor.stderr).toBe(2);
  expect(doctor.stderr).toContain('STAGING_CLIENT_SECRET');
});

test('installs no browser beside a named one that does not start', () => {
  const env = { ...process.env, LEGACY_CONFORMANCE_BROWSER: '/nowhere/chromium' };
  const command = join(project.folder, 'node_modules', '.bin', 'legacy-conformance');
  const named = spawnSync(process.execPath, [command, 'install-browser'], { encoding: 'utf8', env });
  expect([named.status, named.stderr]).toEqual([2, expect.stringContaining('names /nowhere/chromium')]);
});

test('can be imported and required: every entry, with what the interface says', async () => {
  project.write(
    'imports.cjs',
    importsModule(readFileSync('docs/development/interface.txt', 'utf8'), IMPORTED),
  );
  const ended = await project.node('imports.cjs');
  expect(ended.stdout, ended.stderr).toBe('every import works\n');
});

test('every verb of the program is tried in a project', () => {
  expect(notTried(createProgram())).toEqual([]);
});

// All groups, with all package managers: `npm run prove -- --part package`.
test('each verb that needs no further package does in a project what it is for', PROVE, async () => {
  const app = newProject();
  const places = await openPlaces(app.folder);
  try {
    for (const [name, text] of Object.entries(places.files)) app.write(name, text);
    for (const one of Object.values(TRIED).flatMap(({ inTest, verbs }) => (inTest ? verbs : []))) {
      const command = [process.execPath, commandIn(app.folder), ...one.verb.split(' '), ...one.args];
      const end = await runInProject(command, app.folder, places.env, one.stopped && one.prints);
      expect(triedProblem(one, end)).toBeUndefined();
    }
  } finally {
    await places.close();
  }
});

test('has the public interface that is committed', () => {
  expect(interfaceText(join(process.cwd(), 'dist/package'))).toBe(
    readFileSync('docs/development/interface.txt', 'utf8'),
  );
});

test('serves the tests of node:test, and CommonJS modules', async () => {
  project.write(
    'hooks.test.cjs',
    `const { after, before, beforeEach, test } = require('node:test');
     const assert = require('node:assert');
     const { emulatorInTests } = require('legacy-api-conformance/fixtures');
     const { startEmulator } = require('legacy-api-conformance/emulator');
     const { defineConfig } = require('legacy-api-conformance/config');
     const { evaluateClient } = require('legacy-api-conformance');
     const service = emulatorInTests({ before, beforeEach, after });
     assert.throws(() => service.emulator, /within a test/);
     test('time passes', async () => {
       const { clock } = service.emulator.control;
       const began = clock.now();
       service.advance(7200);
       assert.equal(clock.now(), began + 7200);
     });
     test('a fault hits one request of the next test alone', async () => {
       service.fault({ route: 'token', kind: 'status', status: 503, count: 1 });
       const ask = () => fetch(service.emulator.authUrl + '/oauth/token', { method: 'POST' });
       assert.deepEqual([(await ask()).status, (await ask()).status], [503, 400]);
       assert.equal(defineConfig({ name: 'x' }).name, 'x');
     });
     test('a defect is on from the start, or switched on, by its id', async () => {
       const id = 'refresh-token-not-rotated';
       const { control, close } = await startEmulator({ defects: [id], listen: false });
       assert.deepEqual(control.defects.active(), [id]);
       const { defects } = service.emulator.control;
       assert.ok(defects.known().includes(id));
       defects.switch([id]);
       assert.deepEqual(defects.active(), [id]);
       assert.throws(() => defects.switch(['refresh-token-not-rotate']), /Did you mean "refresh-token-not-rotated"/);
       await assert.rejects(startEmulator({ defects: ['x'], listen: false }), /known/);
       await close();
     });
     test('a client is evaluated within a test', async () => {
       const emulator = await startEmulator();
       const { seed, baseUrl } = emulator;
       const none = await evaluateClient(emulator);
       assert.deepEqual([none.exitCode, none.subject], [3, 'client']);
       const list = baseUrl + '/v2/projects/' + seed.projects[0].id + '/assigned_users';
       await fetch(list + '?access_token=' + emulator.tokens().access_token);
       const application = seed.applications[0].clientId;
       const { exitCode, requirements } = await evaluateClient(emulator, { application });
       const failed = requirements.filter(({ result }) => result === 'fail').map(({ id }) => id);
       assert.deepEqual([exitCode, failed], [1, ['secrets.not-in-address']]);
       const later = await evaluateClient(emulator, { since: Date.now() + 1000 });
       assert.equal(later.exitCode, 3);
       await assert.rejects(evaluateClient(emulator, { application: 'nobody' }), /nobody/);
       await emulator[Symbol.asyncDispose]();
     });`,
  );
  const ended = await project.node('--test', '--test-reporter=tap', 'hooks.test.cjs');
  expect(ended.stdout + ended.stderr).toMatch(/# pass 4\n# fail 0/);
});

test('the GitHub action hands on verdict, counts, report and exit code', PROVE, () => {
  const conforms = runAction('action.yml', project.folder, { only: 'exchange.token-type-bearer,4.3' });
  expect(conforms.code, conforms.stderr).toBe(0);
  expect(conforms.outputs).toMatchObject({ verdict: 'conforms', 'exit-code': '0', failed: '0' });
  expect(Number(conforms.outputs.passed)).toBeGreaterThan(10);
  expect(conforms.summary).toContain('## Conformance of emulator');
  expect(readFileSync(join(project.folder, conforms.outputs.report ?? '', 'junit.xml'), 'utf8')).toContain(
    '<testsuites',
  );

  const unknown = runAction('action.yml', project.folder, { target: 'no-such.config.json' });
  expect(unknown.code).toBe(2);
  expect(unknown.outputs).toMatchObject({ verdict: 'none', 'exit-code': '2', passed: '0' });
});

test(
  'the GitHub action installs itself: a repository without package.json, the package packed in it',
  PROVE,
  async () => {
    const temporary = test.info().outputPath('runner');
    const workspace = test.info().outputPath('repository');
    mkdirSync(join(workspace, 'vendor'), { recursive: true });
    copyFileSync(packed.file, join(workspace, 'vendor/suite.tgz'));
    // As a cache restored by the job before: the tests have no registry.
    writeLocked(join(temporary, 'legacy-conformance'), packed);
    const offline = { RUNNER_TEMP: temporary, npm_config_offline: 'true', npm_config_ignore_scripts: 'true' };
    const own = { package: 'vendor/suite.tgz' };
    const check = runAction(
      'action.yml',
      workspace,
      { ...own, args: '--only "exchange.token-type-bearer" --explore 0' },
      offline,
    );
    expect(check.code, check.stdout + check.stderr).toBe(0);
    expect(check.outputs).toMatchObject({ verdict: 'conforms', passed: '1' });
    expect(readdirSync(workspace).sort()).toEqual(['conformance-report', 'vendor']);

    const explore = { ...own, verb: 'explore', args: '--requests 30 --seed 1', report: 'explored' };
    const explored = runAction('action.yml', workspace, explore, offline);
    expect(explored.code, explored.stdout + explored.stderr).toBe(0);
    expect(explored.outputs.report).toBe('explored');

    const service = await startFaultyService();
    const { env } = service.configure(workspace);
    await service.close();
    const down = runAction(
      'action.yml',
      workspace,
      { ...own, target: 'conformance.config.json' },
      { ...offline, ...env },
    );
    expect(down.code, down.stdout + down.stderr).toBe(3);
  },
);

test('until it is published: a private registry takes the packed file, and gives it', PROVE, async () => {
  let published: {
    versions: Record<string, { dist: { tarball: string } }>;
    _attachments: Record<string, { data: string }>;
  };
  const registry = createServer(async (req, res) => {
    const json = (status: number, body: unknown) =>
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (req.method === 'PUT') {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      published = JSON.parse(Buffer.concat(chunks).toString());
      return json(201, { ok: true });
    }
    if (published === undefined) return json(404, {});
    if (!req.url?.endsWith('.tgz')) return json(200, published);
    const [attachment] = Object.values(published._attachments);
    return res.end(Buffer.from(attachment?.data ?? '', 'base64'));
  });
  const { origin, close } = await onLoopback(registry);
  try {
    const address = `${origin}/`;
    const cwd = test.info().outputPath('project');
    mkdirSync(cwd, { recursive: true });
    writeFileSync(
      join(cwd, '.npmrc'),
      `registry=${address}\n${address.replace('http:', '')}:_authToken=token\n`,
    );
    const npm = async (...args: readonly string[]) => {
      const child = spawn(
        'npm',
        [...args, ...['--cache', join(cwd, 'cache'), '--userconfig', join(cwd, '.npmrc')]],
        { cwd, stdio: 'ignore' },
      );
      return ((await once(child, 'close')) as [number])[0];
    };
    expect(await npm('publish', packed.file)).toBe(0);
    expect(await npm('pack', 'legacy-api-conformance')).toBe(0);
    const given = readFileSync(join(cwd, basename(packed.file)));
    expect(given.equals(readFileSync(packed.file))).toBe(true);
  } finally {
    await close();
  }
});

test('until it is published: a clone builds and packs by itself', PROVE, () => {
  const clone = test.info().outputPath('suite');
  const run = (cwd: string, ...[program = '', ...args]: readonly string[]) =>
    spawnSync(program, args, { cwd, encoding: 'utf8' });
  expect(run('.', 'git', 'clone', '--quiet', '--depth', '1', `file://${process.cwd()}`, clone).status).toBe(
    0,
  );
  // In place of `npm ci`.
  symlinkSync(join(process.cwd(), 'node_modules'), join(clone, 'node_modules'));
  const built = run(clone, process.execPath, 'scripts/build.ts');
  expect(built.status, built.stdout + built.stderr).toBe(0);
  expect(run(clone, 'npm', 'pack', './dist/package').status).toBe(0);
  expect(existsSync(join(clone, basename(packed.file)))).toBe(true);
});

test('the example of an application’s own end-to-end tests', PROVE, async () => {
  const app = newProject(['@playwright/test']);
  cpSync('examples/end-to-end-playwright', app.folder, { recursive: true });
  const runner = join('node_modules', '@playwright', 'test', 'cli.js');
  const ended = spawnSync(process.execPath, [runner, 'test', '--reporter=line', '--workers=1'], {
    cwd: app.folder,
    encoding: 'utf8',
    env: { ...process.env, LEGACY_CONFORMANCE_BROWSER: await browserPath() },
  });
  expect(ended.status, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stdout).toContain('4 passed');
});

test(
  'the example of a shim held to a recording: alike, and no longer once a member is missing',
  PROVE,
  async () => {
    const app = newProject();
    const secrets = {
      SHIM_CLIENT_SECRET: 'secret-of-the-shim',
      SHIM_PASSWORD: 'password-of-the-shim',
      SHIM_CONTROL_TOKEN: 'token-of-the-shim',
    };
    cpSync('examples/shim', app.folder, { recursive: true });
    app.write(
      '.env',
      Object.entries(secrets)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const written = readFileSync(join(app.folder, 'shim.config.json'), 'utf8');
    const held = async () => {
      const shim = spawn(process.execPath, ['shim.mjs', '0'], {
        cwd: app.folder,
        env: { ...process.env, ...secrets },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [said] = (await once(shim.stdout, 'data')) as [Buffer];
        const port = /:(\d+)\s*$/.exec(said.toString())?.[1] ?? '';
        app.write('shim.config.json', written.replaceAll('9100', port));
        return await app.run(
          'check',
          '--only',
          '4.4',
          '--target',
          'shim.config.json',
          '--variables',
          '.env',
          '--like',
          'recorded/staging.yaml',
          '--risk',
          'refusals',
        );
      } finally {
        shim.kill();
      }
    };
    const alike = await held();
    expect(alike.code, alike.stdout + alike.stderr).toBe(0);
    expect(alike.stdout).toContain('frozen');
    const shim = readFileSync(join(app.folder, 'shim.mjs'), 'utf8');
    app.write('shim.mjs', shim.replace(', email: mail', ''));
    const other = await held();
    expect(other.code).toBe(1);
    expect(other.stdout).toContain('FAIL list-shape.fields');
  },
);

test('the example of a sign-in module, at a service with a notice and a one-time code', PROVE, async () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const service = await startIndependentService({
    INDEPENDENT_SERVICE_INTERSTITIAL: '1',
    INDEPENDENT_SERVICE_TOTP_SECRET: secret,
  });
  const app = newProject();
  try {
    const { ready } = service;
    cpSync('examples/sign-in-module', app.folder, { recursive: true });
    const file = 'staging/conformance.config.json';
    const written = JSON.parse(readFileSync(join(app.folder, file), 'utf8'));
    app.write(file, JSON.stringify({ ...written, authUrl: ready.authUrl, baseUrl: ready.baseUrl }));
    const secrets = {
      STAGING_CLIENT_SECRET: ready.application.clientSecret,
      STAGING_PASSWORD: ready.owner.password,
      STAGING_TOTP_SECRET: secret,
    };
    const names = readFileSync(join(app.folder, 'staging/.env.example'), 'utf8').match(/^\w+/gm);
    expect(names).toEqual(Object.keys(secrets));
    const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
    app.write('staging/.env', lines.join(''));
    const ended = await app.run('check', '--only', '2.2', '--target', file, '--variables', 'staging/.env');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).toContain('4 of 4 passed');
    const asked = (await service.received()).filter((line) => /(code|notice)$/.test(line));
    expect(
      asked.some((line) => line.endsWith('/code')) && asked.some((line) => line.endsWith('/notice')),
    ).toBe(true);
  } finally {
    await service.stop();
  }
});

test('the example of a Python client’s own tests', () => {
  const python = '/usr/bin/python3';
  const has = spawnSync(python, ['-c', 'import requests_oauthlib']).status === 0;
  test.skip(!has, 'Python has no requests-oauthlib here: apt-get install python3-requests-oauthlib');
  const ended = spawnSync(python, ['-B', '-m', 'unittest'], {
    cwd: 'examples/end-to-end-python',
    encoding: 'utf8',
    env: {
      ...process.env,
      EMULATE: `"${process.execPath}" "${join(project.folder, 'node_modules', '.bin', 'legacy-conformance')}"`,
    },
  });
  expect(ended.status, ended.stderr).toBe(0);
  expect(ended.stderr).toContain('Ran 2 tests');
});

test('names the package that a verb needs and the integrator has not, and sends nothing', async () => {
  const ended = await project.run('contracts', 'verify');
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('npm install --save-dev "@pact-foundation/pact-core@^20.2.0"');
});

test('says where Yarn’s Plug’n’Play does not do', async () => {
  const archives = "Object.defineProperty(process.versions, 'pnp', { value: '3' })";
  project.write('as-with-archives.cjs', archives);
  const command = join('node_modules', '.bin', 'legacy-conformance');
  const ended = await project.node('--require', './as-with-archives.cjs', command, 'contracts', 'verify');
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('nodeLinker: node-modules')]);
});

test('verifies pacts where the integrator has what that needs', PROVE, async () => {
  const withPact = newProject(['@pact-foundation/pact-core']);
  const ended = await withPact.run('contracts', 'verify');
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain('12 of 12');
});

test(
  'the example of a consumer with pact-js: its tests pass, and its pacts are verified together',
  PROVE,
  async () => {
    const app = newProject(['@pact-foundation/pact', '@pact-foundation/pact-core']);
    cpSync('examples/pact-js', app.folder, { recursive: true });
    const tested = await app.node('--test', 'consumer.test.mts');
    expect(tested.code, tested.stdout + tested.stderr).toBe(0);
    const ended = await app.run('contracts', 'verify', '--pact', 'pacts');
    expect(ended.code, ended.stderr).toBe(0);
    const [shown = ''] =
      /^Verification of[\s\S]+?(?=^```)/m.exec(readFileSync('examples/pact-js/README.md', 'utf8')) ?? [];
    const withoutTimes = (text: string) => text.replace(/\d+ ms/g, '… ms');
    expect(withoutTimes(ended.stdout)).toBe(withoutTimes(shown));
  },
);

/** Parts that the pages' snippets leave to the reader. */
const READERS = `
declare const callbackUrl: string;
declare function fiveCallsAtOnce(): Promise<void>;
declare function fromVault(): Promise<string>;
declare function signedIn(authUrl: string): Promise<{ access_token: string }>;
declare function expectRefused(token: string): Promise<void>;`;

test('declares what the snippets of the documentation use', PROVE, async () => {
  const app = newProject(['@playwright/test']);
  const pages = ['README.md', ...readdirSync('docs').map((file) => `docs/${file}`)];
  const snippets = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) =>
      blocksOf(readFileSync(page, 'utf8'))
        .filter(({ language, mark }) => language === 'ts' && mark === undefined)
        .map(({ line, text }) => ({ name: `${page.replace(/\W/g, '-')}-${line}.mts`, text })),
    );
  for (const { name, text } of snippets) app.write(name, `${text}\nexport {};\n`);
  app.write('readers.d.ts', READERS);
  app.write('my-client.ts', 'export class MyClient { constructor(readonly settings: object) {} }');
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  const options =
    '--noEmit --strict --noImplicitAny false --skipLibCheck --module nodenext --target es2023 --allowImportingTsExtensions --types node';
  const types = ['--typeRoots', join(process.cwd(), 'node_modules/@types')];
  const ended = await app.node(
    compiler,
    ...options.split(' '),
    ...types,
    'readers.d.ts',
    ...snippets.map(({ name }) => name),
  );
  expect(ended.stdout).toBe('');
  expect(snippets.length).toBeGreaterThan(5);
});

/** Versions of TypeScript by their package, with the module resolutions that each knows. */
const COMPILERS = {
  'typescript-5.0': ['node', 'node16', 'bundler'],
  'typescript-5.6': ['node', 'node16', 'nodenext', 'bundler'],
  typescript: ['node', 'node16', 'nodenext', 'bundler'],
  'typescript-7': ['node16', 'nodenext', 'bundler'],
} as const;

const MODULE = { node: 'commonjs', node16: 'node16', nodenext: 'nodenext', bundler: 'esnext' } as const;

test('declares what it exports, whichever way the integrator compiles', PROVE, async () => {
  test.setTimeout(600_000);
  const uses = `
    import { check, type Results } from 'legacy-api-conformance';
    import { type Configuration, defineConfig, type SignInModule } from 'legacy-api-conformance/config';
    import { startEmulator, type Emulator } from 'legacy-api-conformance/emulator';
    import { emulatorFixtures, type EmulatorFixtures, emulatorInTests } from 'legacy-api-conformance/fixtures';
    export const results: Promise<Results> = check('emulator', {
      only: ['4.3', '4', 'exchange', 'refresh.chain'],
      defects: ['list-token-optional'],
      profile: 'by-the-rfc',
      like: 'recorded/staging.yaml',
      risks: ['refusals'],
    });
    export const ofObject = (configuration: Configuration) => check(configuration);
    export const ofFile = check('staging.config.json');
    export const emulator: Promise<Emulator> = startEmulator({ profile: 'by-the-rfc' });
    export const advance = (fixtures: EmulatorFixtures) => fixtures.advance(7200);
    export const used = [emulatorFixtures, emulatorInTests];
    export const signIn: SignInModule['signIn'] = (page, { login, type }) => type(page.locator('#login'), login);
    // @ts-expect-error: a configuration has further keys that it needs
    export const wanting: Configuration = defineConfig({ name: 'staging' });
    // @ts-expect-error: the code is a number
    export const wrong: Promise<string> = results.then(({ exitCode }) => exitCode);
    // @ts-expect-error: no such clause
    check('emulator', { only: ['4.33'] });
    // @ts-expect-error: no such defect
    check('emulator', { defects: ['list-token-optionally'] });
    // @ts-expect-error: no such risk
    check('emulator', { risks: ['refusal'] });
    // @ts-expect-error: neither a profile nor a file
    check('emulator', { profile: 'by-the-rfcs' });`;
  // In a CommonJS project only `node` and `bundler` take an import in a `.ts` file for one of a module.
  for (const name of ['uses.ts', 'uses.mts']) project.write(name, uses);
  const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
  for (const [compiler, resolutions] of Object.entries(COMPILERS)) {
    for (const resolution of resolutions) {
      const ended = await project.node(
        join(modules, compiler, 'bin/tsc'),
        ...['--noEmit', '--strict', '--target', 'es2015', '--types', 'node'],
        ...['--typeRoots', join(modules, '@types')],
        ...['--module', MODULE[resolution], '--moduleResolution', resolution],
        resolution.startsWith('node1') || resolution === 'nodenext' ? 'uses.mts' : 'uses.ts',
      );
      // Before 5.2 the compiler does not know `Symbol.dispose`, which Node's types and Playwright's name.
      const ours = ended.stdout.split('\n').filter((line) => /^uses|legacy-api-conformance/.test(line));
      expect([compiler, resolution, ...ours]).toEqual([compiler, resolution]);
      if (compiler !== 'typescript-5.0') expect(ended.stdout).toBe('');
    }
  }
  const page = readFileSync('docs/programs.md', 'utf8');
  for (const [compiler, code, ...options] of [
    ['typescript', 'TS18028', '--target', 'es5', '--module', 'commonjs', '--moduleResolution', 'node'],
    ['typescript', 'TS1479', '--target', 'es2015', '--module', 'node16'],
    ['typescript', undefined, '--target', 'es2015', '--module', 'nodenext'],
    ['typescript-5.6', 'TS1479', '--target', 'es2015', '--module', 'nodenext'],
  ] as const) {
    const types = ['--strict', '--types', 'node', '--typeRoots', join(modules, '@types')];
    const tsc = join(modules, compiler, 'bin/tsc');
    const ended = await project.node(tsc, '--noEmit', ...types, ...options, 'uses.ts');
    const codes = [...new Set(ended.stdout.match(/\bTS\d+/g))];
    expect([options, codes]).toEqual([options, code === undefined ? [] : [code]]);
    expect(page).toContain(code ?? '');
  }
});

test('declares nothing of the rooms that only the suite needs', () => {
  const root = join(project.folder, 'node_modules/legacy-api-conformance');
  const declarations = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.d.ts'));
  expect(declarations.length).toBeGreaterThan(20);
  for (const path of declarations) {
    expect(path).not.toMatch(/^src\/(secrets|flow|exchange|targets|agent)\//);
    expect(readFileSync(join(root, path), 'utf8'), path).not.toContain('SecretRegistry');
  }
});

test('serves Jest, with the option that the page names', PROVE, async () => {
  const app = newProject(['jest']);
  const page = readFileSync('docs/programs.md', 'utf8');
  const [, option = ''] = /NODE_OPTIONS=(--[\w-]+)/.exec(page) ?? [];
  app.write('jest.config.cjs', "module.exports = { testMatch: ['**/*.test.?js'], transform: {} };");
  const tests = `
    const service = emulatorInTests({ before: beforeAll, beforeEach, after: afterAll });
    test('a token is dead after two hours', async () => {
      const { baseUrl, seed, tokens } = service.emulator;
      const headers = { Authorization: 'Bearer ' + tokens().access_token };
      service.advance(7200);
      const answer = await fetch(baseUrl + '/v2/projects/' + seed.projects[0].id + '/assigned_users', { headers });
      expect(answer.status).toBe(401);
    });`;
  const from = 'legacy-api-conformance/fixtures';
  app.write('imports.test.mjs', `import { emulatorInTests } from '${from}';${tests}`);
  app.write('requires.test.cjs', `const { emulatorInTests } = require('${from}');${tests}`);
  const ended = await app.node(option, join('node_modules', 'jest', 'bin', 'jest.js'), '--runInBand');
  expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('2 passed, 2 total')]);
});

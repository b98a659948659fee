/**
 * The packed package as integrators get it, from the registry's ordinary clients: npm, pnpm and Yarn, each in an empty CommonJS project that has another
 * version of @playwright/test; and what two linters of packages say of it. Needs the network.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createProgram } from '../../src/cli/program.ts';
import { findBrowser } from '../../src/service/agent/browser/find-browser.ts';
import { buildAndPack, type Packed } from '../../tests/support/package/project.ts';
import {
  importsModule,
  notTried,
  openPlaces,
  runInProject,
  TRIED,
  type Tried,
  triedProblem,
} from '../../tests/support/package/tried.ts';
import { ENTRIES } from '../package/manifest.ts';
import { proveRecipes, proveRelease } from './recipes.ts';
import { proveShards } from './shards.ts';

/** The oldest Playwright that the fixtures support, as the integrator's own. */
const OTHER_PLAYWRIGHT = '1.50.0';

interface Manager {
  readonly name: string;
  /** The registry's package, with its version; none for npm itself. */
  readonly from?: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Files that its project needs. */
  readonly files?: Readonly<Record<string, string>>;
  /** Packages stay in archives, so the manager starts the project's commands. */
  readonly archives?: true;
}

const YARN = '@yarnpkg/cli-dist@4.18.1';

const MANAGERS: readonly Manager[] = [
  { name: 'npm', command: 'npm', args: ['install', '--no-audit', '--no-fund'] },
  { name: 'pnpm', from: 'pnpm@10.20.0', command: 'pnpm', args: ['install'] },
  // A separate cache: npm would reuse a tarball of the same name and version from an earlier run.
  {
    name: 'yarn 1',
    from: 'yarn@1.22.22',
    command: 'yarn',
    args: ['install', '--no-progress', '--cache-folder=.yarn-cache'],
  },
  {
    name: 'yarn 4, node-modules',
    from: YARN,
    command: 'yarn',
    args: ['install'],
    files: { '.yarnrc.yml': 'nodeLinker: node-modules\nenableTelemetry: false\n', 'yarn.lock': '' },
  },
  {
    name: "yarn 4, Plug'n'Play",
    from: YARN,
    command: 'yarn',
    args: ['install'],
    files: { '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\n', 'yarn.lock': '' },
    archives: true,
  },
];

const LINTERS: readonly (readonly [name: string, from: string, args: readonly string[]])[] = [
  ['publint', 'publint@0.3.25', ['publint', '--strict']],
  ['attw', '@arethetypeswrong/cli@0.18.5', ['attw', '--profile', 'esm-only', '--no-emoji']],
];

const FIXTURES = `
import { test as base, expect } from '@playwright/test';
import { emulatorFixtures } from 'legacy-api-conformance/fixtures';
const test = base.extend(emulatorFixtures);
test('signs in', async ({ emulator, page, signIn, decide }) => {
  const [{ clientId, redirectUris }] = emulator.seed.applications;
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUris[0], response_type: 'code', scope: 'read' });
  await page.goto(emulator.authUrl + '/oauth/authorize?' + query);
  await signIn(page);
  await expect(page.locator('button[name=decision][value=deny]')).toBeVisible();
});`;

const FIXTURES_CONFIG = `
import { defineConfig } from '@playwright/test';
export default defineConfig({ testMatch: 'fixtures.spec.ts', reporter: 'line', use: { launchOptions: { executablePath: process.env.BROWSER, chromiumSandbox: false } } });`;

/** Commands to try in every project besides the verbs, with their expected output. */
const BESIDES: readonly (readonly [name: string, command: readonly string[], prints: RegExp])[] = [
  ['version', ['legacy-conformance', '--version'], /^\d+\.\d+\.\d+/],
  ['imports', ['node', 'imports.cjs'], /^every import works$/m],
  ['fixtures', ['playwright', 'test', '--config=fixtures.config.ts'], /1 passed/],
];

/** Verbs that do not work with a manager, with their message; exit 2. */
const TOLD: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "yarn 4, Plug'n'Play": {
    'contracts verify': /does not work with Yarn's Plug'n'Play/,
  },
};

/**
 * @param managers the ways to install
 *
 * @returns the problems, a sentence each
 */
export async function provePackage(managers = MANAGERS): Promise<readonly string[]> {
  const untried = notTried(createProgram()).map(
    (verb) => `no project tries the verb ${verb}, or it does not exist`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'prove-package-'));
  const browser = (await findBrowser())?.executablePath ?? '';
  try {
    const packed = buildAndPack(folder);
    const problems = [...untried];
    for (const [name, from, args] of LINTERS) {
      const { code, output } = await runInProject(npx(from, [...args, packed.file]), folder, ENV);
      console.log(`${name}: ${code === 0 ? 'clean' : 'not clean'}`);
      if (code !== 0) problems.push(`${name}: ${output}`);
    }
    problems.push(...proveRecipes(), ...proveRelease());
    const queue = [...managers];
    const take = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const manager = await managerIn(join(folder, 'manager', next.name), next);
        const lines: string[] = [];
        problems.push(...(await tried(manager, packed, browser, (line) => lines.push(line))));
        console.log(lines.join('\n'));
      }
    };
    // A trial mostly waits, so two run at a time.
    await Promise.all([take(), take()]);
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs a package manager into a folder; returns the path of its command. With `npm exec`, a shell would keep the signals. */
async function managerIn(folder: string, manager: Manager): Promise<Manager> {
  if (manager.from === undefined) return manager;
  mkdirSync(folder, { recursive: true });
  const install = ['npm', 'install', `--prefix=${folder}`, '--no-audit', '--no-fund', manager.from];
  const { code, output } = await runInProject(install, folder, ENV);
  if (code !== 0) throw new Error(`${manager.from}: ${output}`);
  return { ...manager, command: join(folder, 'node_modules', '.bin', manager.command) };
}

/** Installs the package in an empty project and tries everything there. */
async function tried(
  manager: Manager,
  packed: Packed,
  browser: string,
  print: (line: string) => void,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'integrator-'));
  const places = await openPlaces(folder);
  try {
    const tarball = 'legacy-api-conformance.tgz';
    copyFileSync(packed.file, join(folder, tarball));
    const devDependencies = {
      'legacy-api-conformance': `file:./${tarball}`,
      '@playwright/test': OTHER_PLAYWRIGHT,
      '@pact-foundation/pact-core': '20.2.0',
    };
    const files = {
      'package.json': JSON.stringify({
        name: 'project',
        version: '1.0.0',
        type: 'commonjs',
        private: true,
        devDependencies,
      }),
      'imports.cjs': importsModule(
        readFileSync('docs/development/interface.txt', 'utf8'),
        Object.keys(ENTRIES),
      ),
      'fixtures.spec.ts': FIXTURES,
      'fixtures.config.ts': FIXTURES_CONFIG,
      ...places.files,
      ...manager.files,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const env = { ...places.env, ...ENV, BROWSER: browser };
    const begun = performance.now();
    const installed = await runInProject([manager.command, ...manager.args], folder, env);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    print(`${manager.name}: installed in ${seconds} s`);
    if (installed.code !== 0) return [`${manager.name}: install: ${installed.output}`];
    const own = join(folder, 'node_modules', '@playwright/test', 'package.json');
    const moved = existsSync(own) && JSON.parse(readFileSync(own, 'utf8')).version !== OTHER_PLAYWRIGHT;
    const problems: string[] = moved ? ["moved the project's own @playwright/test"] : [];
    for (const [name, one, command] of everything()) {
      const reported = TOLD[manager.name]?.[name];
      const expected = reported === undefined ? one : { verb: name, args: [], exit: 2, prints: reported };
      const started = startedBy(manager, command, folder);
      const end = await runInProject(started, folder, env, one.stopped && one.prints);
      const problem = triedProblem(expected, end);
      if (problem !== undefined) problems.push(problem);
      print(`  ${problem === undefined ? (reported === undefined ? 'ok  ' : 'told') : 'FAIL'} ${name}`);
    }
    const sharded = await proveShards(
      (command) => runInProject(startedBy(manager, command, folder), folder, env),
      folder,
      readFileSync('docs/programs.md', 'utf8'),
      // With Plug'n'Play, Playwright before 1.53 never finishes loading a test file that is an ES module; CommonJS works.
      manager.archives ? 'checks.spec.ts' : 'checks.spec.mts',
    );
    print(`  ${sharded.length === 0 ? 'ok  ' : 'FAIL'} shards`);
    return [...problems, ...sharded].map((problem) => `${manager.name}: ${problem}`);
  } finally {
    await places.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function everything(): readonly (readonly [name: string, tried: Tried, command: readonly string[]])[] {
  const verbs = Object.values(TRIED).flatMap(({ verbs }) => verbs);
  return [
    ...verbs.map(
      (one) => [one.verb, one, ['legacy-conformance', ...one.verb.split(' '), ...one.args]] as const,
    ),
    ...BESIDES.map(
      ([verb, command, prints]) => [verb, { verb, args: [], exit: 0, prints }, command] as const,
    ),
  ];
}

/** The command line of a project's command, as its `scripts` would start it. */
function startedBy(
  manager: Manager,
  [name = '', ...args]: readonly string[],
  folder: string,
): readonly string[] {
  if (manager.archives) return [manager.command, ...(name === 'node' ? [] : ['run']), name, ...args];
  return [name === 'node' ? process.execPath : join(folder, 'node_modules', '.bin', name), ...args];
}

function npx(from: string, command: readonly string[]): readonly string[] {
  return ['npm', 'exec', '--yes', `--package=${from}`, '--', ...command];
}

/** The install creates a lock file, which a build server would refuse. */
const ENV = { CI: '', YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };

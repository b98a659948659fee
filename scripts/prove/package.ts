/**
 * The packed package as integrators get it, from the registry's ordinary clients: npm, pnpm and Yarn, each in an empty CommonJS project that has another
 * version of @playwright/test; and what two linters of packages say of it. Needs the network.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findBrowser } from '../../src/agent/browser/find-browser.ts';
import { buildAndPack, type Packed } from '../../tests/support/package/project.ts';
import { proveRecipes, proveRelease } from './recipes.ts';

/** The integrator's own Playwright: the oldest that the fixtures are for. */
const OTHER_PLAYWRIGHT = '1.50.0';

/** Milliseconds after which a command of a project hangs. */
const LONGEST_MS = 180_000;

/** A way to install. */
interface Manager {
  readonly name: string;
  /** The package of the registry that it is, with its version; npm itself has none. */
  readonly from?: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Files that the project has for it. */
  readonly files?: Readonly<Record<string, string>>;
  /** What starts a command of the project; its own Node when absent. */
  readonly run?: readonly string[];
}

const YARN = '@yarnpkg/cli-dist@4.18.1';

export const MANAGERS: readonly Manager[] = [
  { name: 'npm', command: 'npm', args: ['install', '--no-audit', '--no-fund'] },
  { name: 'pnpm', from: 'pnpm@10.20.0', command: 'pnpm', args: ['install'] },
  { name: 'yarn 1', from: 'yarn@1.22.22', command: 'yarn', args: ['install', '--no-progress'] },
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
    run: ['yarn', 'node'],
  },
];

const LINTERS: readonly (readonly [name: string, from: string, args: readonly string[]])[] = [
  ['publint', 'publint@0.3.25', ['publint', '--strict']],
  ['attw', '@arethetypeswrong/cli@0.18.5', ['attw', '--profile', 'esm-only', '--no-emoji']],
];

const IMPORTS = `
const emulator = import('legacy-api-conformance/emulator');
(async () => {
  const { check, observe, defineConfig } = await import('legacy-api-conformance');
  const { createClient } = await import('legacy-api-conformance/client');
  const { emulatorFixtures, emulatorInTests } = await import('legacy-api-conformance/fixtures');
  const { startEmulator } = await emulator;
  const running = await startEmulator();
  await running.close();
  const all = [check, observe, defineConfig, createClient, emulatorInTests, startEmulator];
  console.log('imported', all.every((one) => typeof one === 'function'), Object.keys(emulatorFixtures).length);
})();`;

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

const CONFIG = `
import { defineConfig } from '@playwright/test';
export default defineConfig({ reporter: 'line', use: { launchOptions: { executablePath: process.env.BROWSER, chromiumSandbox: false } } });`;

/** A thing that is tried in every project: its command, and what it must print. */
const TRIED: readonly (readonly [name: string, command: readonly string[], prints: RegExp])[] = [
  ['version', ['legacy-conformance', '--version'], /^\d+\.\d+\.\d+/],
  ['coverage', ['legacy-conformance', 'coverage'], /./],
  ['init', ['legacy-conformance', 'init'], /conformance\.config\.mts/],
  ['check', ['legacy-conformance', 'check'], /conforms \(exit 0\)/],
  ['observe', ['legacy-conformance', 'observe', '--probe', 'refresh-fate'], /./],
  ['contracts verify', ['legacy-conformance', 'contracts', 'verify'], /12 of 12/],
  ['client', ['legacy-conformance', 'client', '--', 'node', '--version'], /not-exercised|inconclusive/],
  ['imports', ['node', 'imports.cjs'], /imported true \d/],
  ['fixtures', ['playwright', 'test'], /1 passed/],
];

/** What does not work with a manager, and what is then said, with exit 2. */
const TOLD: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "yarn 4, Plug'n'Play": { 'contracts verify': /does not work with Yarn's Plug'n'Play/ },
};

/** @returns what does not hold, a sentence each */
export async function provePackage(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-package-'));
  const browser = (await findBrowser())?.executablePath ?? '';
  try {
    const packed = buildAndPack(folder);
    const linted = LINTERS.flatMap(([name, from, args]) => {
      const { status, output } = npx(from, [...args, packed.file], folder);
      console.log(`${name}: ${status === 0 ? 'clean' : 'not clean'}`);
      return status === 0 ? [] : [`${name}: ${output}`];
    });
    return [
      ...linted,
      ...proveRecipes(),
      ...proveRelease(),
      ...MANAGERS.flatMap((manager) => tried(manager, packed, browser)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function tried(manager: Manager, packed: Packed, browser: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'integrator-'));
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
      'imports.cjs': IMPORTS,
      'sign-in.spec.ts': FIXTURES,
      'playwright.config.ts': CONFIG,
      ...manager.files,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const begun = performance.now();
    const installed = invoke(manager, manager.args, folder, browser);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${manager.name}: installed in ${seconds} s`);
    if (installed.status !== 0) return [`${manager.name}: install: ${installed.output}`];
    const own = join(folder, 'node_modules', '@playwright/test', 'package.json');
    const moved = existsSync(own) && JSON.parse(readFileSync(own, 'utf8')).version !== OTHER_PLAYWRIGHT;
    const problems = TRIED.flatMap(([name, command, prints]) => {
      const begun = performance.now();
      const { status, output } = started(manager, command, folder, browser);
      const late = performance.now() - begun >= LONGEST_MS;
      const told = TOLD[manager.name]?.[name];
      const held =
        told === undefined
          ? prints.test(output) && (status === 0 || name === 'client')
          : told.test(output) && status === 2;
      const how = held ? (told === undefined ? 'ok  ' : 'told') : 'FAIL';
      console.log(`  ${how} ${name}${late ? ' (hangs)' : ''}`);
      return held ? [] : [`${manager.name}: ${name}: ${output.slice(-1_500)}`];
    });
    return moved ? [`${manager.name}: moved the project's own @playwright/test`, ...problems] : problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** A command of the project, as its `scripts` would start it. */
function started(
  manager: Manager,
  [name = '', ...args]: readonly string[],
  folder: string,
  browser: string,
): Ran {
  if (manager.run !== undefined)
    return invoke(manager, name === 'node' ? ['node', ...args] : ['run', name, ...args], folder, browser);
  const bin = join(folder, 'node_modules', '.bin', name);
  return name === 'node' ? run(process.execPath, args, folder, browser) : run(bin, args, folder, browser);
}

function invoke({ from, command }: Manager, args: readonly string[], folder: string, browser: string): Ran {
  if (from === undefined) return run(command, args, folder, browser);
  return run('npm', ['exec', '--yes', `--package=${from}`, '--', command, ...args], folder, browser);
}

function npx(from: string, [command = '', ...args]: readonly string[], folder: string): Ran {
  return run('npm', ['exec', '--yes', `--package=${from}`, '--', command, ...args], folder, '');
}

function run(file: string, args: readonly string[], cwd: string, browser: string): Ran {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    timeout: LONGEST_MS,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      // A lock file is made here, which a build server would refuse.
      CI: '',
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
      FORCE_COLOR: '0',
      PACT_DO_NOT_TRACK: 'true',
      BROWSER: browser,
    },
  });
  return { status, output: stdout + stderr };
}

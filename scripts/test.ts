import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installBrowser } from '../src/commands/install-browser/verb.ts';
import { findBrowser } from '../src/service/agent/browser/find-browser.ts';

/**
 * `npm test`: all conditions for accepting a change, static checks first. `npm test -- suite` runs only the steps with this word
 * in their name.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** One condition. */
interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const node = (script: string, ...args: string[]): readonly string[] => [process.execPath, script, ...args];

/** Returns the script of a package's command, to start with this Node, whatever the machine's is. */
function bin(packageName: string, command: string): string {
  const folder = join(ROOT, 'node_modules', packageName);
  const { bin: bins } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  return join(folder, typeof bins === 'string' ? bins : (bins[command] ?? ''));
}

/** No tool sends telemetry from a test run. The test runner leaves TypeScript to Node, as `playwright.config.ts` explains. */
const ENVIRONMENT = {
  PW_DISABLE_TS_ESM: '1',
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  PACT_DO_NOT_TRACK: 'true',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  DO_NOT_TRACK: '1',
};

/** Quick and independent: run two at a time. */
const STATIC: readonly Step[] = [
  { name: 'generated files', command: node('scripts/generate.ts', '--check') },
  { name: 'generated reference pages', command: node('scripts/reference.ts', '--check') },
  { name: 'specification', command: node(bin('@redocly/cli', 'redocly'), 'lint') },
  { name: 'format and lint', command: node(bin('@biomejs/biome', 'biome'), 'ci', '--error-on-warnings') },
  { name: 'types', command: node(bin('typescript-7', 'tsc'), '--noEmit') },
  {
    name: 'import arrows',
    command: node(
      bin('dependency-cruiser', 'depcruise'),
      '--config',
      '.dependency-cruiser.mjs',
      'src',
      'tests',
      'scripts',
      'playwright.config.ts',
    ),
  },
  { name: 'prose', command: node('scripts/prose.ts') },
  { name: 'dead code', command: node(bin('knip', 'knip')) },
];

/** A project of the test runner. Each clears its own folder at the start, so that two can run at the same time. */
const project = (name: string, ...args: string[]): Step => ({
  name,
  command: node(
    bin('@playwright/test', 'playwright'),
    'test',
    `--project=${name}`,
    `--output=test-results/${name}`,
    ...args,
  ),
});

/** Two at a time, the longest first. The suite often waits for servers and deadlines, so it gets more workers than cores. */
const SUITE = project('suite', '--workers=3');
const PROJECTS: readonly Step[] = [
  SUITE,
  project('matrix'),
  project('conformance', '--reporter=dot'),
  project('client'),
  project('contracts'),
];

const only = process.argv.slice(2);
const wanted = (step: Step) => only.length === 0 || only.some((word) => step.name.includes(word));
const steps = [...STATIC, ...PROJECTS];
if (!steps.some(wanted)) {
  const names = steps.map(({ name }) => name).join(', ');
  console.error(`expected a word of a step's name, got ${only.join(' ')}; the steps are: ${names}`);
  process.exit(2);
}

if ((await findBrowser()) === undefined) await installBrowser();

const failed: string[] = [];
const passed: string[] = [];
for (const group of [STATIC, PROJECTS]) {
  const queue = group.filter(wanted);
  await Promise.all([drain(queue), drain(queue)]);
}

console.log(`\n${failed.length === 0 ? 'all held' : `did not hold: ${failed.join(', ')}`}`);
console.log(`${passed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && passed.length > 0 ? 0 : 1;

async function drain(steps: Step[]): Promise<void> {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) await run(step, step === SUITE);
}

/** Runs one step; shows its output at once, or only after a failure. */
async function run({ name, command: [file = '', ...args] }: Step, show: boolean): Promise<void> {
  const begun = performance.now();
  if (show) console.log(`\n== ${name}`);
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    env: { ...process.env, ...ENVIRONMENT, ...(show ? {} : { NO_COLOR: '1' }) },
  });
  let said = '';
  const keep = (chunk: Buffer) => {
    said += chunk.toString();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  (code === 0 ? passed : failed).push(name);
  const [counts = ''] = /\d+ passed/.exec(said) ?? [];
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)${counts === '' ? '' : `: ${counts}`}`);
  if (code !== 0 && !show) console.log(said);
}

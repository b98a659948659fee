import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { scenarioIds } from '../../tests/support/client-adapters/scenario-ids.ts';
import { didYouMean, UsageError } from '../input/usage-error.ts';
import { conclude, type ExitCode } from '../report/verdict.ts';
import { requireOptionalPackage } from './own-package.ts';
import { print } from './print.ts';

const CONFIG = fileURLToPath(
  new URL(
    `../../tests/client/scenarios/playwright.config${extname(fileURLToPath(import.meta.url))}`,
    import.meta.url,
  ),
);

interface ClientRequest {
  readonly client: string;
  readonly only: readonly string[];
}

export async function runClientScenarios({ client, only }: ClientRequest): Promise<ExitCode> {
  for (const name of ['@playwright/test', 'nock']) requireOptionalPackage(name, 'client');
  const adapter = resolve(client);
  if (!existsSync(adapter))
    throw new UsageError(`--client: expected a client adapter, but there is no file ${client}`);
  refuseUnloadable(client);
  const unknown = only.find((what) => ![...scenarioIds].some((id) => isIn(id, what)));
  if (unknown !== undefined) {
    const groups = [...new Set([...scenarioIds].map((id) => id.split('.')[0]))];
    throw new UsageError(
      `--only: there is no scenario, and no group, ${JSON.stringify(unknown)}; the groups are ${groups.join(', ')}.${didYouMean(unknown, [...groups.flatMap((group) => group ?? []), ...scenarioIds])}`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'client-scenarios-'));
  try {
    const report = await runRunner(adapter, only, folder);
    return verdict(report, client);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** First minor version of Playwright 1.x that loads `.mjs` modules without hanging. */
const LOADS_MJS = 53;

function refuseUnloadable(client: string): void {
  if (extname(client) !== '.mjs') return;
  const { version } = createRequire(import.meta.url)('@playwright/test/package.json') as { version: string };
  const [major, minor] = version.split('.').map(Number);
  if (major === 1 && (minor ?? 0) < LOADS_MJS)
    throw new UsageError(
      `--adapter: @playwright/test ${version} does not load modules that end in .mjs: update it to 1.${LOADS_MJS} or newer, or name the file .mts`,
    );
}

function isIn(id: string, what: string): boolean {
  return id === what || id.startsWith(`${what}.`);
}

interface RunnerReport {
  readonly errors: readonly { readonly message?: string }[];
  readonly suites: readonly Suite[];
}

interface Suite {
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
  readonly suites?: readonly Suite[];
}

async function runRunner(
  adapter: string,
  only: readonly string[],
  folder: string,
): Promise<RunnerReport | undefined> {
  const file = join(folder, 'report.json');
  const { end } = startRunner(
    CONFIG,
    [
      '--reporter=list,json',
      `--output=${join(folder, 'output')}`,
      ...(only.length === 0
        ? []
        : [`--grep=: (${only.map((what) => `${escaped(what)}(\\.[^:]*)?`).join('|')}): `]),
    ],
    { LEGACY_CONFORMANCE_CLIENT: adapter, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    ['ignore', 'inherit', 'inherit'],
  );
  await end;
  return await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as RunnerReport,
    () => undefined,
  );
}

function escaped(what: string): string {
  return what.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function verdict(report: RunnerReport | undefined, client: string): ExitCode {
  const ended = report === undefined ? [] : report.suites.flatMap(specsOf);
  const errors = (report?.errors ?? []).map(({ message = '' }) => stripVTControlCharacters(message));
  const unloadable = errors.find((message) => message.includes('LEGACY_CONFORMANCE_CLIENT'));
  if (unloadable !== undefined) {
    const why = unloadable.replace(/^(Error: )?LEGACY_CONFORMANCE_CLIENT: /, '');
    throw new UsageError(`--client: ${why.split('\n')[0]}`);
  }
  const count = (status: string) => ended.filter((spec) => spec.status === status).length;
  const failed = ended.filter(({ status }) => status === 'unexpected' || status === 'flaky');
  const broken = report === undefined || errors.length > 0;
  const { exitCode, because } = conclude({
    troubles: broken
      ? [{ kind: 'broken', message: errors[0] ?? 'the test runner ended without a report' }]
      : [],
    violations:
      failed.length === 0
        ? []
        : [failed.length === 1 ? '1 scenario failed' : `${failed.length} scenarios failed`],
    gaps: [],
    judged: ended.length - count('skipped'),
  });
  const skipped =
    count('skipped') === 0 ? '' : `, ${count('skipped')} skipped: the client has no such function`;
  const lines = [
    `${client}: ${count('expected')} of ${ended.length - count('skipped')} scenarios as expected${skipped} (exit ${exitCode})`,
    ...because.map((why) => `  ${why}`),
  ];
  print(`${lines.join('\n')}\n`);
  return exitCode;
}

function specsOf({ specs = [], suites = [] }: Suite): readonly { title: string; status: string }[] {
  return [
    ...specs.flatMap(({ title, tests }) => tests.map(({ status }) => ({ title, status }))),
    ...suites.flatMap(specsOf),
  ];
}

interface StartedRunner {
  readonly child: ChildProcess;
  /** Resolves with the exit code after all output has arrived; null if a signal ended it. */
  readonly end: Promise<number | null>;
}

function startRunner(
  config: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdio: StdioOptions,
): StartedRunner {
  const runner = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  const compiled = getCompileCacheDir();
  const child = spawn(
    process.execPath,
    [join(dirname(runner), 'cli.js'), 'test', `--config=${config}`, ...args],
    {
      cwd: dirname(config),
      stdio,
      env: {
        ...process.env,
        // The runner and its workers use compiled code if this process does.
        ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }),
        ...env,
      },
    },
  );
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.once('SIGINT', forward);
  process.once('SIGTERM', forward);
  const end = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(code);
    });
  });
  return { child, end };
}

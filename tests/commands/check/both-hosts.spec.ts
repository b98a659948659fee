/** The same checks, as `check` runs them and as Playwright tests: the same results, and nothing of a live target is recorded. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { check } from '../../../src/index.ts';
import { settlingSoon, withIndependentService } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli');

/** A pass, a failure, one that is not applicable there, one of pages, and one whose requests a run of more checks would send with others. */
const ONLY = [
  'exchange.token-type-bearer',
  'exchange.expires-in-7200',
  'refresh.after-expiry',
  'authorize.not-framable',
  'assign.idempotent',
  'list.unknown-project-refused',
] as const;

interface RunnerReport {
  readonly suites: readonly Suite[];
  readonly errors: readonly { readonly message?: string }[];
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly {
    readonly tests: readonly {
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

/** Runs the project `conformance` on some requirements, as somebody would by hand. */
async function byPlaywright(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ readonly results: Readonly<Record<string, string>>; readonly errors: string }> {
  const grep = ` (${ONLY.map((id) => id.replaceAll('.', '\\.')).join('|')}) `;
  const child = spawn(
    process.execPath,
    [
      ...[PLAYWRIGHT, 'test', '--project=conformance', '--reporter=json', `--grep=${grep}`, '--workers=1'],
      ...[`--output=${test.info().outputPath('runner')}`, ...args],
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  const report = JSON.parse(text) as RunnerReport;
  const tests = report.suites.flatMap(specsOf).flatMap((spec) => spec.tests);
  const said = (one: (typeof tests)[number], type: string) =>
    one.annotations.find((annotation) => annotation.type === type)?.description ?? 'nothing';
  return {
    results: Object.fromEntries(tests.map((one) => [said(one, 'requirement'), said(one, 'result')])),
    errors: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
  };
}

function specsOf({ suites = [], specs = [] }: Suite): readonly NonNullable<Suite['specs']>[number][] {
  return [...specs, ...suites.flatMap(specsOf)];
}

test('the emulator: both come to the same', PROVE, async () => {
  const { requirements } = await check('emulator', { only: ONLY });
  const { results } = await byPlaywright({ LEGACY_CONFORMANCE_TARGET: 'emulator' });
  expect(results).toEqual(Object.fromEntries(requirements.map(({ id, result }) => [id, result])));
  expect(Object.values(results)).toContain('pass');
});

test('a live target that fails: both come to the same', PROVE, async () => {
  const shipped = { INDEPENDENT_SERVICE_MODE: 'as-shipped', INDEPENDENT_SERVICE_CONSENT: 'always' };
  await withIndependentService(shipped, settlingSoon, async ({ running, file, env }) => {
    const { requirements } = await check(file, { only: ONLY, env: { ...process.env, ...env } });
    const { results } = await byPlaywright({ ...env, LEGACY_CONFORMANCE_TARGET: file });
    expect(results).toEqual(Object.fromEntries(requirements.map(({ id, result }) => [id, result])));
    expect(Object.values(results)).toContain('fail');
    expect(Object.values(results)).toContain('not-applicable');
    const { projects } = running.ready;
    const changes = (await running.received()).filter((line) => /^(PUT|DELETE) /.test(line));
    expect(changes.filter((line) => !projects.some((id) => line.includes(id)))).toEqual([]);
  });
});

test('a live target while traces are on: refused, and nothing is sent', PROVE, async () => {
  await withIndependentService({}, {}, async ({ running, file, env }) => {
    const { errors, results } = await byPlaywright({ ...env, LEGACY_CONFORMANCE_TARGET: file }, '--trace=on');
    expect(errors).toContain('trace: expected `off` on a live target');
    expect(Object.values(results)).not.toContain('pass');
    expect(await running.received()).toEqual([]);
  });
});

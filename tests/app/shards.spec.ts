/** The checks as Playwright tests, in shards: one verdict when their blob reports are merged. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import {
  type Attached,
  afterLast,
  assembleShards,
  lateError,
  type Sent,
} from '../../src/app/playwright/shards.ts';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { verdictOf } from '../../src/report/verdict.ts';
import { answer, at } from '../support/faulty-service/faults.ts';
import { startFaultyService } from '../support/faulty-service/service.ts';
import { PROVE } from '../support/prove.ts';
import { aResult, aTarget } from '../support/results-builder.ts';

const catalogue = loadCatalogue();
const frame = { suiteVersion: '0.1.0', startedAt: new Date(0) };
const attach = (
  id: string,
  result: Parameters<typeof aResult>[1] = 'pass',
  parts: Partial<Attached> = {},
): Attached => ({
  result: aResult(id, result),
  catalogueDigest: catalogue.digest,
  target: aTarget(),
  ...parts,
});
const whole = catalogue.requirements.map(({ id }) => attach(id));
const [first, second] = whole as [Attached, Attached];
const verdict = (sent: Partial<Sent>) =>
  verdictOf(assembleShards({ attached: whole, late: [], crashes: [], ...sent }, catalogue, frame));

test.describe('one verdict of all shards', () => {
  const failing = aResult(second.result.id, 'fail');
  const rows: readonly (readonly [string, number, Partial<Sent>])[] = [
    ['all passed, whatever the order', 0, { attached: whole.toReversed() }],
    ['a shard is missing', 3, { attached: whole.slice(0, 60) }],
    ['no shard came', 3, { attached: [] }],
    [
      'one came twice and another is missing',
      3,
      { attached: [...whole.slice(0, 60), ...whole.slice(0, 60)] },
    ],
    ['one failed', 1, { attached: [...whole.slice(1), attach(first.result.id, 'fail')] }],
    [
      'one failed in one of two shards that both checked it',
      1,
      { attached: [...whole, attach(first.result.id, 'fail')] },
    ],
    [
      'another exchange showed it broken after the last test',
      1,
      { late: [{ results: [failing], troubles: [] }] },
    ],
    ['a user stayed assigned', 4, { late: [{ results: [], troubles: [{ kind: 'broken', message: 'x' }] }] }],
    ['a worker crashed', 4, { crashes: ['Error: boom'] }],
    [
      'a shard is of another target',
      3,
      {
        attached: [
          attach(first.result.id, 'pass', { target: aTarget({ name: 'other' }) }),
          ...whole.slice(1),
        ],
      },
    ],
    [
      'a shard is of other checks',
      3,
      { attached: [attach(first.result.id, 'pass', { catalogueDigest: 'other' }), ...whole.slice(1)] },
    ],
  ];
  for (const [what, exit, sent] of rows)
    test(`${what}: ${exit}`, () => {
      expect(verdict(sent).exitCode).toBe(exit);
    });

  test('what a worker finds after its last test travels in an error', () => {
    const late = { results: [failing], troubles: [{ kind: 'inconclusive' as const, message: 'two\nlines' }] };
    expect(afterLast(`Error: ${lateError(late).message}`)).toEqual(late);
    expect(afterLast('Error: boom')).toBeUndefined();
  });
});

test('merge-reports with our reporter: the exit code is the verdict, and a missing shard is 3', PROVE, () => {
  test.slow();
  const directory = mkdtempSync(join(tmpdir(), 'shards-'));
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], {
      cwd: root,
      env: { ...process.env, ...env },
    });
  try {
    const blob = { PLAYWRIGHT_BLOB_OUTPUT_DIR: join(directory, 'blob') };
    const shard = run(
      [
        ...[
          'test',
          '--project=conformance',
          '-g',
          'list.safe|version.prefix',
          '--reporter=blob',
          '--workers=1',
        ],
        // The runner clears its folder at the start; without one of its own, that is the folder of this test's runner.
        `--output=${join(directory, 'runner')}`,
      ],
      blob,
    );
    expect(shard.status, shard.stdout.toString()).toBe(0);
    const report = join(directory, 'report');
    const reporter = ['--reporter', './src/app/playwright/verdict-reporter.ts'];
    const merged = run(['merge-reports', ...reporter, join(directory, 'blob')], {
      LEGACY_CONFORMANCE_REPORT: report,
    });
    expect(merged.stdout.toString()).toContain('inconclusive (exit 3): 2 of 2 passed');
    expect(merged.status).toBe(3);
    const results = JSON.parse(readFileSync(join(report, 'results.json'), 'utf8'));
    expect([results.exitCode, results.totals.pass, results.target.name]).toEqual([3, 2, 'doorkeeper-5']);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Runs some checks as Playwright tests with the one verdict, without blocking this process, in which the service is. */
async function withVerdict(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const child = spawn(
    process.execPath,
    [
      ...[
        'node_modules/@playwright/test/cli.js',
        'test',
        '--project=conformance',
        '-g',
        'list.safe|version.prefix',
      ],
      ...[
        `--output=${test.info().outputPath('runner')}`,
        '--reporter=./src/app/playwright/verdict-reporter.ts',
        ...args,
      ],
    ],
    { env: { ...process.env, LEGACY_CONFORMANCE_REPORT: test.info().outputPath('report'), ...env } },
  );
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, stdout };
}

test(
  'on a live target: one worker, and no sign-in for each check that could not be evaluated',
  PROVE,
  async () => {
    const service = await startFaultyService();
    const { file, env } = service.configure(test.info().outputPath('.'));
    const live = { ...env, LEGACY_CONFORMANCE_TARGET: file };
    try {
      const two = await withVerdict(live, '--workers=2');
      expect(two.stdout).toContain('workers: expected 1 on a live target');
      expect([two.code, service.asked]).toEqual([3, []]);
      service.suffer(at(/^POST \/oauth\/token/, answer(503)));
      const down = await withVerdict(live, '--workers=1');
      expect(down.code, down.stdout).toBe(3);
      expect(service.asked.filter((line) => line === 'POST /sign-in')).toHaveLength(1);
    } finally {
      await service.close();
    }
  },
);

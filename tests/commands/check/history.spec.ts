import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import {
  type History,
  historyOf,
  keepHistory,
  loadHistory,
  withAddedRun,
} from '../../../src/commands/check/history.ts';
import { repeatFailures } from '../../../src/commands/check/verb.ts';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { renderReport } from '../../../src/report/files.ts';
import { renderHtml } from '../../../src/report/html/render.ts';
import { withHistory } from '../../../src/report/policy.ts';
import type { RequirementResult, Results } from '../../../src/report/results.ts';
import { reproducedText } from '../../../src/report/words.ts';
import { runHere } from '../../support/command-here.ts';
import { PROVE } from '../../support/prove.ts';
import { renderConsole, renderMarkdownSummary } from '../../support/render-results.ts';
import { aCatalogueOf, aResult, aRun } from '../../support/results-builder.ts';

/** `check --history`: how long a target could not be evaluated, whether a failure comes again, and what changed. */
const PASS = [aResult('list.safe')];
const DOWN = [aResult('list.safe', 'not-run')];
const EMPTY: History = { schemaVersion: '1.0', target: 'staging', of: 'complete', runs: [] };
const NIGHT = '03:17:00.000Z';

/** A run that started then, with what the history says of it. */
function nightly(
  history: History,
  startedAt: string,
  requirements: readonly RequirementResult[],
): { results: Results; next: History } {
  const bare = aRun(requirements, { startedAt });
  const { verdict: own, exitCode: _, totals: __, schemaVersion: ___, ...run } = bare;
  const results = aRun(requirements, { ...run, history: historyOf(run, history) });
  return { results, next: withAddedRun(history, results, own) };
}

/** The exit codes of runs on these moments, and the nights without a conclusion; `ok` conforms, anything else is down. */
function nights(runs: readonly (readonly [string, 'ok' | 'down' | 'fail'])[]) {
  let history = EMPTY;
  const all = runs.map(([startedAt, what]) => {
    const requirements = { ok: PASS, down: DOWN, fail: [aResult('list.safe', 'fail')] }[what];
    const { results, next } = nightly(history, startedAt, requirements);
    history = next;
    return results;
  });
  return {
    codes: all.map(({ exitCode }) => exitCode),
    counts: all.map((results) => results.history?.inconclusiveNights),
  };
}
const on = (day: number, time = NIGHT) => `2026-03-${String(day).padStart(2, '0')}T${time}`;

test.describe('nights without a conclusion', () => {
  test('exit codes never depend on the past', () => {
    const many = Array.from(
      { length: 70 },
      (_, i) => [new Date(Date.UTC(2026, 2, 2 + i)).toISOString(), 'down'] as const,
    );
    expect(new Set(nights(many).codes)).toEqual(new Set([3]));
  });

  test('are counted until a conclusion comes; a failure is one, and a night that is tried again counts once', () => {
    expect(
      nights([
        [on(2), 'down'],
        [on(2, '05:00:00.000Z'), 'down'],
        [on(3), 'down'],
        [on(4), 'fail'],
        [on(5), 'down'],
        [on(6), 'ok'],
      ]),
    ).toEqual({ codes: [3, 3, 3, 1, 3, 0], counts: [1, 1, 2, 0, 1, 0] });
  });

  test('what is broken stays 4, and is no conclusion', () => {
    const troubles = [{ kind: 'broken' as const, message: 'x' }];
    const broken = aRun(DOWN, { startedAt: on(3), troubles });
    const after = withAddedRun(nightly(EMPTY, on(2), PASS).next, broken, 'broken');
    expect(nightly(after, on(4), DOWN).results.history?.inconclusiveNights).toBe(2);
    expect(broken.exitCode).toBe(4);
  });

  test('a year of retries leaves a small file', () => {
    let history = EMPTY;
    const many = Array.from({ length: 113 }, (_, i) => aResult(`group.requirement-number-${i}`));
    for (let run = 0; run < 400; run += 1)
      history = nightly(
        history,
        new Date(Date.UTC(2026, 0, 1, run * 8)).toISOString(),
        run % 50 ? many : DOWN,
      ).next;
    expect(history.runs).toHaveLength(60);
    expect(JSON.stringify(history).length).toBeLessThan(20_000);
  });
});

test('reports say how long, since when, and what changed', () => {
  const before = nightly(EMPTY, on(2), PASS).next;
  const failed = [aResult('list.safe', 'fail', { signature: 'status 500', reproduced: { seen: 1, of: 2 } })];
  const { results } = nightly(before, on(5), failed);
  const view = aCatalogueOf(results);
  const junit = renderReport(results, view).find(({ name }) => name === 'junit.xml')?.text ?? '';
  for (const text of [
    renderConsole(results, view, { style: 'plain' }),
    renderMarkdownSummary(results, view).replaceAll('\\', ''),
    renderHtml(results, view),
    junit,
  ]) {
    expect(text).toMatch(/[Ll]ast conclusive run: 2026-03-02 \(conforms\)/);
    expect(text).toMatch(
      /[Cc]hanged since then: BROKE list\.safe: passed -(>|&gt;|&#62;) failed: status 500/,
    );
    expect(text).toMatch(/list\.safe: not reproduced: flaky, 1 of 2/);
  }
  const down = nightly(before, on(5), DOWN).results;
  expect(renderConsole(down, view, { style: 'plain' })).toContain('nights without a conclusion: 1');
  expect(down.history?.changes).toEqual([]);
});

test.describe('the file', () => {
  const own = (name: string) => test.info().outputPath(name);
  const file = () => own('staging.history.json');
  const now = Date.parse(on(10));

  test('is made at the first run, read at the next, and holds no secret', async () => {
    expect(loadHistory(file(), 'staging', 'complete', now)).toEqual(EMPTY);
    const { results } = nightly(EMPTY, on(2), [
      aResult('list.safe', 'fail', { signature: 'got s3cr3t-value' }),
    ]);
    const secrets = new SecretRegistry();
    secrets.register('client_secret', 's3cr3t-value');
    expect(await keepHistory(file(), EMPTY, results, 'violates', secrets)).toContain(
      'would have held client_secret#1',
    );
    expect(existsSync(file())).toBe(false);
    expect(await keepHistory(file(), EMPTY, results, 'violates', new SecretRegistry())).toBeUndefined();
    expect(loadHistory(file(), 'staging', 'complete', now)).toMatchObject({
      runs: [{ verdict: 'violates' }],
      lastConclusive: { requirements: [{ id: 'list.safe', result: 'fail' }] },
    });
  });

  const valid = JSON.stringify(nightly(EMPTY, on(2), PASS).next);
  for (const [what, text, says] of [
    ['empty', '', /expected/],
    ['cut off', valid.slice(0, valid.length / 2), /expected/],
    ['something else', '{"a":1}', /expected/],
    [
      'of another target',
      valid.replace('"staging"', '"production"'),
      /the history of "staging", got that of "production"/,
    ],
    [
      'of smoke runs',
      valid.replace('"complete"', '"smoke"'),
      /runs that are complete, got runs that are smoke/,
    ],
    ['of the future', valid.replace(on(2), '2031-01-01T00:00:00.000Z'), /runs of the past/],
  ] as const)
    test(`that is ${what} is refused and left as it is`, () => {
      writeFileSync(file(), text);
      expect(() => loadHistory(file(), 'staging', 'complete', now)).toThrow(says);
      expect(readFileSync(file(), 'utf8')).toBe(text);
    });

  test('goes with whole runs', async () => {
    const { code, stderr } = await runHere(['check', '--history', file(), '--only', '4.3']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('leave --only out')]);
  });

  test('by the command: a file that is none is 2, and nothing is sent', async () => {
    writeFileSync(file(), valid.slice(0, 40));
    const { code, stderr } = await runHere(['check', '--history', file(), '--report', own('report')]);
    expect([code, existsSync(own('report/results.json'))]).toEqual([2, false]);
    expect(stderr).toContain(file());
  });
});

test.describe('what failed is checked once more, alone', () => {
  const secrets = new SecretRegistry();
  const checkedWith = (
    requirements: readonly RequirementResult[],
    parts: Parameters<typeof aRun>[1] = {},
  ) => {
    const { verdict: _, exitCode: __, totals: ___, schemaVersion: ____, ...run } = aRun(requirements, parts);
    return { run, secrets, catalogue: loadCatalogue() };
  };
  const outcome = async (id: string, defects: readonly string[], parts: Parameters<typeof aRun>[1] = {}) => {
    const checked = checkedWith([aResult(id, 'fail'), aResult('list.safe')], parts);
    const run = withHistory(checked.run, {
      again: await repeatFailures(checked.run, { target: 'emulator', defects }),
    });
    expect(run.requirements[1]?.reproduced).toBeUndefined();
    return run.requirements[0]?.reproduced;
  };

  test('an error of the suite in the second run is not taken for one of the options', async () => {
    const { run } = checkedWith([aResult('list.safe', 'fail')]);
    const crashing = {
      get target(): string {
        throw new TypeError('a defect of the suite');
      },
    };
    await expect(repeatFailures(run, crashing)).rejects.toThrow(TypeError);
  });

  test(
    '2 of 2 where it fails again, flaky where it does not, and neither where it cannot be told',
    PROVE,
    async () => {
      const broken = await outcome('exchange.expires-in-7200', ['exchange-expires-in-3600']);
      expect(broken).toEqual({ seen: 2, of: 2 });
      const sound = await outcome('exchange.expires-in-7200', []);
      expect(sound).toEqual({ seen: 1, of: 2 });
      const unknown = await outcome('no.such', []);
      expect(unknown).toMatchObject({ seen: 1, of: 1 });
      expect([broken, sound, unknown].map((one) => one && reproducedText(one))).toEqual([
        'reproduced 2 of 2',
        'not reproduced: flaky, 1 of 2',
        'not tried again: it could not be run again (UsageError)',
      ]);
    },
  );
});

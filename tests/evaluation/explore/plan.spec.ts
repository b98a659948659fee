import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { explorePlan } from '../../../src/commands/explore/plan.ts';
import { runHere } from '../../support/command-here.ts';

/** The plan of an exploration: its requests, and the sequence of `--replay`. */

const LIVE = { projects: ['1041'], users: ['504', '505'] };

test('the emulator is explored by 2,500 requests unless told; a live target only where it is asked for', () => {
  expect(explorePlan({ seed: 3 }, undefined, true)).toEqual({
    requests: 2_500,
    seed: 3,
    replays: [],
    refusals: true,
  });
  expect(explorePlan({ explore: 0 }, undefined, true)).toBeUndefined();
  expect(explorePlan({}, LIVE, false)).toBeUndefined();
  expect(explorePlan({ explore: 300, seed: 1 }, LIVE, false)).toMatchObject({
    requests: 300,
    refusals: false,
  });
});

test('without --seed, `check` explores a live target alike in all runs of a version, and the emulator differently', () => {
  const seeds = (...asked: Parameters<typeof explorePlan>) =>
    new Set(Array.from({ length: 8 }, () => explorePlan(...asked)?.seed)).size;
  for (const options of [{}, { explore: 500 }]) {
    expect(seeds(options, LIVE, false, '0.2.0')).toBe(1);
    expect(seeds(options, undefined, true, '0.2.0')).toBeGreaterThan(1);
  }
  expect(seeds({ explore: 500 }, LIVE, false)).toBeGreaterThan(1);
});

function written(...steps: readonly object[]): string {
  const file = test.info().outputPath('sequence.json');
  writeFileSync(file, JSON.stringify({ replay: 1, steps }));
  return file;
}

const ON_OTHERS = [
  [{ do: 'list', project: '1042', with: 'pair 1' }, 'step 1 (list) names project 1042'],
  [{ do: 'unassign', project: '1041', user: '501', with: 'pair 1' }, 'step 1 (unassign) names user 501'],
] as const;

for (const [step, why] of ON_OTHERS) {
  test(`a sequence for others is not done on a live target: ${why}`, () => {
    const replay = written(step);
    expect(() => explorePlan({ replay }, LIVE, true)).toThrow(why);
    const meeting = written({ do: 'at once', steps: [step, step] });
    expect(() => explorePlan({ replay: meeting }, LIVE, true)).toThrow(why);
    expect(explorePlan({ replay }, undefined, true)?.replays.length).toBe(1);
  });
}

const REFUSED = [
  [{ do: 'refresh wrongly', pair: 'pair 1', how: 'wrong secret' }],
  [
    { do: 'exchange', code: 'code 1', as: 'pair 1' },
    { do: 'exchange', code: 'code 1', as: 'pair 2' },
  ],
  [
    { do: 'refresh', pair: 'pair 1', as: 'pair 2' },
    { do: 'refresh', pair: 'pair 1', as: 'pair 3' },
  ],
] as const;

for (const steps of REFUSED) {
  test(`${steps.length} x ${steps[0].do} is to be refused, and done on a live target only at that risk`, () => {
    const replay = written(...steps);
    expect(() => explorePlan({ replay }, LIVE, false)).toThrow('needs --risk revokes');
    expect(explorePlan({ replay }, LIVE, true)?.replays.length).toBe(1);
  });
}

test('a sequence of another service proves nothing on the emulator: 3, and which project it names', async () => {
  const replay = written({ do: 'list', project: 'prj-elsewhere', with: 'pair 1' });
  const { code, stdout } = await runHere([
    ...['explore', '--replay', replay, '--report', test.info().outputPath('report')],
  ]);
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining('names project prj-elsewhere, which this service does not have'),
  ]);
});

test('what a part of a run shows broken beside that part is told, and decides nothing', async () => {
  const { code, stdout } = await runHere([
    ...['check', '--only', 'list.returns-assigned', '--defect', 'exchange-expires-in-string'],
    ...['--report', test.info().outputPath('report')],
  ]);
  expect(stdout).toMatch(
    /\n {2}also seen, not selected: exchange\.expires-in-7200: expected expires_in to be 7200; got "7200" in \d+ of \d+ examples/,
  );
  expect(code).toBe(0);
});

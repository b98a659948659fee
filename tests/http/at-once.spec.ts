/** Requests that are sent at once meet each other at the pace that a live target is asked at by default, not only at a fast one. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { checkLive } from '../support/check-live.ts';
import { type LiveEmulator, startLiveEmulator } from '../support/emulator-live.ts';
import { PROVE } from '../support/prove.ts';

/** As many as a configuration without `pacing` allows. */
const DEFAULT_PACE = { pacing: { requestsPerSecond: 5 } };

async function withDefect(defect: string, work: (live: LiveEmulator) => Promise<void>): Promise<void> {
  const live = await startLiveEmulator(test.info().outputPath('.'), [defect], DEFAULT_PACE);
  try {
    await work(live);
  } finally {
    await live.emulator.close();
  }
}

test('five exchanges of one code', PROVE, async () => {
  await withDefect('exchange-code-race', async (live) => {
    const { requirements } = await checkLive(live, { only: ['exchange.code-single-use-parallel'] });
    expect(requirements.find((r) => r.id === 'exchange.code-single-use-parallel')?.result).toBe('fail');
  });
});

/** They wait for workers and for stages, and send nothing at once. */
const OTHERWISE = ['src/evaluation/run/run-checks.ts', 'src/evaluation/run/shared-wait.ts'];

test('whatever is meant to meet is sent by `atOnce`', () => {
  const files = globSync(
    'src/{evaluation/{checks,language,run,explore},record/observe,service/flow}/**/*.ts',
  );
  expect(files.length).toBeGreaterThan(80);
  const by = (text: string) => files.filter((file) => readFileSync(file, 'utf8').includes(text)).sort();
  expect(by('Promise.all(')).toEqual(OTHERWISE);
  expect(by('atOnce(').length).toBeGreaterThan(2);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { concludeObservation, runObservation } from '../../../src/commands/observe/run.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';

test('a service that does not unassign a user violates', async () => {
  const { emulator, file, env } = await startLiveEmulator(test.info().outputPath('.'), [
    'unassign-not-stored',
  ]);
  const { controlUrl, controlToken } = emulator;
  // With a clock, the clean-up waits for no list.
  const clock = { advanceUrl: `${controlUrl}/clock/advance`, token: { env: 'CLOCK_TOKEN' } };
  const quick = { ...JSON.parse(readFileSync(file, 'utf8')), clock, pacing: { requestsPerSecond: 1_000 } };
  writeFileSync(file, JSON.stringify(quick));
  try {
    const observed = await runObservation({
      target: file,
      defects: [],
      risks: [],
      probes: ['list-shape'],
      waitExpiry: false,
      env: { ...process.env, ...env, CLOCK_TOKEN: controlToken },
    });
    const { verdict, exitCode, because } = concludeObservation(observed, observed.troubles);
    expect([verdict, exitCode]).toEqual(['violates', 1]);
    expect(because.join()).toContain('unassign.removes-user (clause 4.4)');
  } finally {
    await emulator.close();
  }
});

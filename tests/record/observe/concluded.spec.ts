import { expect, test } from '@playwright/test';
import { concludeObservation, runObservation } from '../../../src/commands/observe/run.ts';
import { clockOf, startLiveEmulator } from '../../support/emulator-live.ts';

test('a service that does not unassign a user violates', async () => {
  const { emulator, file, env } = await startLiveEmulator(
    test.info().outputPath('.'),
    ['unassign-not-stored'],
    (started) => ({ ...clockOf(started), pacing: { requestsPerSecond: 1_000 } }),
  );
  try {
    const observed = await runObservation({
      target: file,
      defects: [],
      risks: [],
      probes: ['list-shape'],
      waitExpiry: false,
      env: { ...process.env, ...env },
    });
    const { verdict, exitCode, because } = concludeObservation(observed, observed.troubles);
    expect([verdict, exitCode]).toEqual(['violates', 1]);
    expect(because.join()).toContain('unassign.removes-user (clause 4.4)');
  } finally {
    await emulator.close();
  }
});

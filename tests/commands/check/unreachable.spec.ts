import { expect, test } from '@playwright/test';
import { runHere } from '../../support/command-here.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';
import { firstInTest } from '../../support/prove.ts';

/** Verbs on a service whose two addresses refuse connections name both at once, before a browser starts. */
for (const [verb, details] of firstInTest(
  [
    ['sweep', '--yes'],
    ['contracts', 'verify'],
    ['handover', 'before'],
    ['handover', 'clean'],
  ],
  2,
))
  test(`${verb.join(' ')}: the one reason names both addresses and their keys`, details, async () => {
    const handover = { user: '90210', file: 'left.handover', passphrase: { env: 'PASSPHRASE' } };
    const { emulator, file, env } = await startLiveEmulator(test.info().outputPath('.'), [], { handover });
    await emulator.close();
    const variables = { ...env, PASSPHRASE: 'a long passphrase of a person' };
    const { code, stdout } = await runHere([...verb, '--target', file], variables);
    expect(code, stdout).toBe(3);
    const reasons = stdout.split('\n').filter((line) => line.startsWith('  '));
    expect(reasons).toEqual([
      expect.stringMatching(
        /^ {2}the service at \S+ \(`authUrl`\) and at \S+ \(`baseUrl`\) refuse connections: check that the service runs/,
      ),
    ]);
  });

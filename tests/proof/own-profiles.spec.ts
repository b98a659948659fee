/** The shipped profiles as live targets, with their own default seed: the whole default run of the command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { type Emulator, startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { runCommand } from '../support/command.ts';
import { ACCOUNT_AREA, emulatorSecrets, emulatorSettings } from '../support/emulator-settings.ts';
import { firstInTest } from '../support/prove.ts';

const PROFILES = ['by-the-rfc', 'doorkeeper-5', 'rotation-with-grace', 'adversarial'] as const;

/** Everything that a user can configure for an emulator. */
function configurationOf(emulator: Emulator, profile: (typeof PROFILES)[number]): ConfigurationFile {
  const settings = emulatorSettings(emulator);
  const { clientId, redirectUris } = emulator.seed.applications[1] ?? emulator.seed.applications[0];
  const [first = '', ...others] = redirectUris;
  return {
    ...settings,
    secondApplication: {
      clientId,
      clientSecret: { env: 'STAGING_SECOND_SECRET' },
      redirectUris: [first, ...others],
    },
    consent: { ...settings.consent, shown: profile === 'adversarial' ? 'always' : 'once' },
    clock: { advanceUrl: `${emulator.controlUrl}/clock/advance`, token: { env: 'STAGING_CLOCK_TOKEN' } },
    accountArea: ACCOUNT_AREA,
    abilities: ['destructive-ids', 'create-application'],
    pacing: { requestsPerSecond: 1_000 },
  };
}

for (const [profile, details] of firstInTest(PROFILES, 1)) {
  test(`${profile} with the default seed conforms as a live target`, details, async () => {
    test.setTimeout(300_000);
    const folder = test.info().outputPath('.');
    const emulator = await startEmulator({ profile, ownCallback: true, control: {} });
    try {
      const file = `${folder}/conformance.config.json`;
      writeFileSync(file, JSON.stringify(configurationOf(emulator, profile)));
      const { code, stdout } = await runCommand(['check', '--target', file, '--report', `${folder}/report`], {
        ...emulatorSecrets(emulator),
        STAGING_SECOND_SECRET: emulator.seed.applications[1]?.clientSecret,
        STAGING_CLOCK_TOKEN: emulator.controlToken,
      });
      const { requirements } = JSON.parse(readFileSync(`${folder}/report/results.json`, 'utf8'));
      const failed = requirements.filter(({ result }: { result: string }) =>
        ['fail', 'not-run'].includes(result),
      );
      expect([code, failed], stdout).toEqual([0, []]);
    } finally {
      await emulator.close();
    }
  });
}

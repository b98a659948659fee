/** How many requests `doctor` says that a run will send, held against what runs send. */
import { expect, test } from '@playwright/test';
import { forecast, rehearse } from '../../src/app/doctor/rehearsal.ts';
import type { Configuration } from '../../src/config/configuration.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import { emulatorAsLiveTarget } from '../../src/targets/emulator-as-live.ts';
import { judgeLive, judgeOpened } from '../support/judge-live.ts';
import { writeLiveConfiguration } from '../support/live-config.ts';
import { startStandIn } from '../support/stand-in/start.ts';

/** The part by which the forecast of a run differs from what it sent. */
async function missedBy(configuration: Configuration, sent: number | undefined): Promise<number> {
  const foretold = forecast(await rehearse(configuration), configuration);
  return Math.abs(foretold - (sent ?? 0)) / (sent ?? 1);
}

for (const profile of ['doorkeeper-5', 'by-the-rfc'])
  for (const shown of ['once', 'always'] as const)
    test(`a service like ${profile}, consent asked ${shown}: within a tenth`, async () => {
      const { answers, ...loaded } = await loadProfile(profile);
      const remembered = shown === 'once' && answers['consent-memory.remembered'];
      let configured: Configuration | undefined;
      const results = await judgeOpened(() =>
        emulatorAsLiveTarget(
          { ...loaded, answers: { ...answers, 'consent-memory.remembered': remembered } },
          [],
          (own) => {
            configured = { ...own, abilities: [], consent: { ...own.consent, shown } };
            return configured;
          },
        ),
      );
      expect(await missedBy(configured as Configuration, results.used?.requests)).toBeLessThan(0.1);
    });

test('an independent service: within a tenth', async () => {
  const standIn = await startStandIn({});
  try {
    const written = writeLiveConfiguration(standIn.ready, test.info().outputPath('.'));
    const results = await judgeLive(written);
    const configuration = await loadConfiguration(written.file, written.env);
    expect(await missedBy(configuration, results.used?.requests)).toBeLessThan(0.1);
  } finally {
    await standIn.stop();
  }
});

/** How many requests `doctor` says that a run will send, held against what runs send. */
import { expect, test } from '@playwright/test';
import { forecast, secondsAtPace } from '../../../src/cli/forecast.ts';
import { loadProfile } from '../../../src/emulator/load-profile.ts';
import type { Configuration } from '../../../src/target/configuration/configuration.ts';
import { loadConfiguration } from '../../../src/target/configuration/load-configuration.ts';
import { checkLive, checkOpened } from '../../support/check-live.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';
import { withStandIn } from '../../support/live-config.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

/** Returns by which part the forecast of a run differs from what it sent. */
function missedBy(configuration: Configuration, sent = 0): number {
  return Math.abs(forecast(configuration) - sent) / sent;
}

/** What a configuration leaves out: nothing, what a staging service seldom has, and all that it may. */
const CONFIGURED: Readonly<Record<string, (all: Configuration) => Configuration>> = {
  everything: (all) => all,
  'no clock, nothing destructive': (all) => ({ ...all, abilities: [], clock: undefined }),
  'one of each': (all) => ({
    ...all,
    abilities: [],
    clock: undefined,
    secondApplication: undefined,
    application: { ...all.application, redirectUris: all.application.redirectUris.slice(0, 1) as [string] },
    projects: all.projects.slice(0, 1),
    users: all.users.slice(0, 1),
  }),
};

for (const [profile, details] of firstInTest(['doorkeeper-5', 'by-the-rfc'], 1))
  for (const shown of ['always', 'once'] as const)
    for (const [index, [name, change]] of Object.entries(CONFIGURED).entries())
      test(
        `a service like ${profile}, consent asked ${shown}, ${name}: within a fifth`,
        shown === 'once' || index > 0 ? PROVE : details,
        async () => {
          const { answers, ...loaded } = await loadProfile(profile);
          const remembered = shown === 'once' && answers['consent-memory.remembered'];
          let configured: Configuration | undefined;
          const results = await checkOpened(() =>
            emulatorAsLiveTarget(
              { ...loaded, answers: { ...answers, 'consent-memory.remembered': remembered } },
              [],
              (own) => {
                const shaped = change({ ...own, consent: { ...own.consent, shown } });
                configured = shaped;
                return shaped;
              },
            ),
          );
          expect(missedBy(configured as Configuration, results.used?.requests)).toBeLessThan(0.2);
        },
      );

for (const [consent, details] of firstInTest(['once', 'always'], 0))
  test(`an independent service, consent asked ${consent}: within a fifth`, details, async () => {
    await withStandIn({ STAND_IN_CONSENT: consent }, {}, async (written) => {
      const results = await checkLive(written);
      const configuration = await loadConfiguration(written.file, written.env);
      expect(missedBy(configuration, results.used?.requests)).toBeLessThan(0.2);
    });
  });

test('the slowest limit decides how long requests take, and is named', () => {
  const pacing = { requestsPerSecond: 5, deadlineMs: 1, perMinute: {} };
  expect(secondsAtPace(100, pacing)).toEqual({ seconds: 20, limit: '5 a second' });
  const byMethod = { ...pacing, perMinute: { GET: 240, PUT: 6 } };
  expect(secondsAtPace(100, byMethod)).toEqual({ seconds: 110, limit: '6 PUT a minute' });
});

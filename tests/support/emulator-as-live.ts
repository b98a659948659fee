import type { Defect } from '../../src/emulator/defects/define-defect.ts';
import type { Profile } from '../../src/emulator/policy/profile.ts';
import { type Emulator, startEmulator } from '../../src/emulator/start/start-emulator.ts';
import type { PaceClock } from '../../src/http/paced-transport.ts';
import { type Configuration, DEFAULTS } from '../../src/service/configuration/configuration.ts';
import { inProcessTransport } from '../../src/service/emulator.ts';
import { liveTarget } from '../../src/service/live.ts';
import type { Target } from '../../src/service/target.ts';
import { ACCOUNT_AREA, emulatorSettings } from './emulator-settings.ts';

/** The configuration of a target that a test opens itself: it says only that the target is live. */
export const OPENED_ELSEWHERE = {} as Configuration;

/**
 * An emulator without sockets as a *live* target, through a configuration as a user writes it for staging.
 * @param profile one that asks for consent as often as the configuration says
 */
export async function emulatorAsLiveTarget(
  profile: Profile,
  defects: readonly Defect[],
  change: (configuration: Configuration) => Configuration = (configuration) => configuration,
): Promise<Target> {
  const emulator = await startEmulator({ profile, defects, listen: false, control: {} });
  const transport = inProcessTransport(emulator);
  return liveTarget(change(configurationOf(emulator)), {
    transport,
    clock: withoutWaiting(),
    close: () => void emulator.close(),
  });
}

/** Paces in simulated time. */
function withoutWaiting(): PaceClock {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

/** Higher than any row needs, because budgets are not tested here. */
const NO_LIMIT = 1_000_000;

function configurationOf(emulator: Emulator): Configuration {
  const { controlUrl, controlToken, seed } = emulator;
  const { authUrl, baseUrl, projects, users, lock, signIn, consent } = emulatorSettings(emulator);
  const [first, second] = seed.applications.map(({ clientId, clientSecret, redirectUris }) => ({
    clientId,
    clientSecret,
    redirectUris: [redirectUris[0] ?? '', ...redirectUris.slice(1)] as [string, ...string[]],
  }));
  const [owner] = seed.owners;
  if (first === undefined || second === undefined || owner === undefined)
    throw new Error("the emulator's seed lacks an owner or two applications");
  return {
    file: 'conformance.config.json',
    name: 'the emulator as a live target',
    authUrl,
    baseUrl,
    application: first,
    secondApplication: second,
    owner: { login: owner.email, password: owner.password },
    projects,
    users,
    lock,
    signIn: { origins: [], ...signIn },
    consent: { ...consent, shown: 'always' },
    accountArea: ACCOUNT_AREA,
    clock: { advanceUrl: `${controlUrl}/clock/advance`, token: controlToken ?? '' },
    abilities: ['destructive-ids', 'create-application'],
    requireAbilities: [],
    secrets: [],
    skewSeconds: 0,
    maxAgeDays: 30,
    care: 'usual',
    pacing: { ...DEFAULTS.pacing, requestsPerSecond: 1_000 },
    budget: {
      requests: NO_LIMIT,
      signIns: NO_LIMIT,
      refusedSignIns: NO_LIMIT,
      refusedAuthentications: NO_LIMIT,
      seconds: NO_LIMIT,
    },
  };
}

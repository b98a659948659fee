import { enableCompileCache } from 'node:module';
import { ready } from './ready.js';

/** The emulator with the clock, the journal and the heap that `emulate` has without a control port. `crowded` as first argument gives it ten thousand users. */

enableCompileCache();

const { startEmulator } = await import('../../../src/emulator/start/start-emulator.ts');
const { SHORT_JOURNAL } = await import('../../../src/emulator/journal/journal.ts');
const crowded = process.argv[2] === 'crowded';
const seed = crowded ? (await import('./crowded-seed.ts')).crowdedSeed() : undefined;
const { limitHeap } = await import('../../../src/commands/emulate/verb.ts');
const emulator = await startEmulator({ clock: 'real', journalLimit: SHORT_JOURNAL, seed });
limitHeap();
const { authUrl, baseUrl } = emulator;
const [application] = emulator.seed.applications;
const [project] = emulator.seed.projects;

ready(
  {
    firstUrl: `${authUrl}/`,
    tokenUrl: `${authUrl}/oauth/token`,
    listUrl: `${baseUrl}/v2/projects/${project.id}/assigned_users`,
    clientId: application.clientId,
    clientSecret: application.clientSecret,
  },
  {
    tokens: async (count) => (await import('./granted-tokens.ts')).grantedTokens(emulator, count),
    held: () => emulator.control.stats().tokenPairs,
  },
);

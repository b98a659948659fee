import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator/start/start-emulator.ts';
import { emulatorSecrets, emulatorSettings } from '../../../tests/support/emulator-settings.ts';

/** Writes a live target's configuration for an emulator whose first project has many users; prints the variables that it names. */

const [folder = '', assigned = '2'] = process.argv.slice(2);
const crowd = Array.from({ length: Number(assigned) }, (_, i) => String(100_001 + i));
const own = ['7', '8', '9'] as const;
const emulator = await startEmulator({
  seed: {
    owners: [{ name: 'Ada Lovell', email: 'ada@example.test' }],
    applications: [{ name: 'Site Diary', redirectUris: ['https://client.example.test/callback'] }],
    projects: [
      { id: '11', name: 'Crowded', assignedUsers: crowd },
      { id: '12', name: 'Two', assignedUsers: crowd.slice(0, 2) },
    ],
    users: [...crowd, ...own].map((id) => ({ id, name: `User ${id}`, email: `user${id}@example.test` })),
  },
});
const configuration = {
  ...emulatorSettings(emulator),
  name: 'crowded',
  projects: ['11', '12'],
  users: own,
  pacing: { requestsPerSecond: 1_000 },
};
writeFileSync(join(folder, 'conformance.config.json'), JSON.stringify(configuration));
console.log(JSON.stringify(emulatorSecrets(emulator)));
process.once('disconnect', () => process.exit());

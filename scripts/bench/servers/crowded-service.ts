import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator/start-emulator.ts';

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
const { authUrl, baseUrl, seed } = emulator;
const [application] = seed.applications;
const configuration = {
  name: 'crowded',
  authUrl,
  baseUrl,
  application: {
    clientId: application.clientId,
    clientSecret: { env: 'CROWDED_SECRET' },
    redirectUris: application.redirectUris,
  },
  owner: { login: seed.owners[0].email, password: { env: 'CROWDED_PASSWORD' } },
  projects: ['11', '12'],
  users: own,
  signIn: {
    form: 'input[name=password]',
    steps: [
      { fill: 'input[name=email]', with: 'login' },
      { fill: 'input[name=password]', with: 'password' },
      { click: { button: 'Sign in' } },
    ],
  },
  consent: {
    grant: 'button[name=decision][value=grant]',
    deny: 'button[name=decision][value=deny]',
    shown: 'once',
    settleMs: 0,
  },
  pacing: { requestsPerSecond: 1_000 },
};
writeFileSync(join(folder, 'conformance.config.json'), JSON.stringify(configuration));
console.log(
  JSON.stringify({
    CROWDED_SECRET: application.clientSecret,
    CROWDED_PASSWORD: seed.owners[0].password,
  }),
);
process.once('disconnect', () => process.exit());

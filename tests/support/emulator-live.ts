import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { DEFECTS } from '../../src/emulator/defects/index.ts';
import { type Emulator, startEmulator } from '../../src/emulator/start-emulator.ts';
import { anyDefectsById } from '../proof/defects-by-id.ts';

/** An emulator that listens, and a configuration file that makes a live target of it. */
export interface LiveEmulator {
  readonly emulator: Emulator;
  readonly file: string;
  /** What the file names as variables. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts an emulator and writes the configuration that a user would have for it.
 *
 * @param defects ids
 * @param change replaces top-level keys of the configuration
 */
export async function startLiveEmulator(
  directory: string,
  defects: readonly string[] = [],
  change: Partial<ConfigurationFile> = {},
): Promise<LiveEmulator> {
  const emulator = await startEmulator({
    defects: anyDefectsById(defects),
    knownDefects: DEFECTS,
    control: {},
  });
  const file = join(directory, 'conformance.config.json');
  const { seed, authUrl, baseUrl } = emulator;
  const [application] = seed.applications;
  const [owner] = seed.owners;
  const assigned = new Set(seed.assignments.map(({ user }) => user));
  const [user = '', ...users] = seed.users.map(({ id }) => id).filter((id) => !assigned.has(id));
  const [project = '', ...projects] = seed.projects.map(({ id }) => id);
  if (application === undefined || owner === undefined) throw new Error('the seed lacks somebody');
  const [redirectUri = '', ...others] = application.redirectUris;
  const configuration: ConfigurationFile = {
    name: 'emulated staging',
    authUrl,
    baseUrl,
    application: {
      clientId: application.clientId,
      clientSecret: { env: 'STAGING_CLIENT_SECRET' },
      redirectUris: [redirectUri, ...others],
    },
    owner: { login: owner.email, password: { env: 'STAGING_PASSWORD' } },
    projects: [project, ...projects.slice(0, 1)],
    users: [user, ...users.slice(0, 2)],
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
    ...change,
  };
  writeFileSync(file, JSON.stringify(configuration, null, 2));
  return {
    emulator,
    file,
    env: { STAGING_CLIENT_SECRET: application.clientSecret, STAGING_PASSWORD: owner.password },
  };
}

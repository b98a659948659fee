import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { Emulator } from '../../src/emulator/start/start-emulator.ts';

/** The account area of the emulator's pages, as in a configuration. */
export const ACCOUNT_AREA = {
  open: { button: 'New application' },
  name: 'input[name=name]',
  redirectUris: 'textarea[name=redirect_uris]',
  submit: { button: 'Create application' },
  clientId: '#client-id',
  clientSecret: '#client-secret',
} as const;

/** The configuration that a user would write for an emulator as staging, seen at these addresses. */
export function emulatorSettings(
  { seed, ...emulator }: Emulator,
  { authUrl, baseUrl }: { readonly authUrl: string; readonly baseUrl: string } = emulator,
) {
  const { clientId, redirectUris } = seed.applications[0];
  const [redirectUri = '', ...others] = redirectUris;
  const assigned = new Set(seed.assignments.map(({ user }) => user));
  const [user = '', second, third, lockUser] = seed.users
    .map(({ id }) => id)
    .filter((id) => !assigned.has(id));
  const [project, ...projects] = seed.projects;
  return {
    name: 'staging',
    authUrl,
    baseUrl,
    application: {
      clientId,
      clientSecret: { env: 'STAGING_CLIENT_SECRET' },
      redirectUris: [redirectUri, ...others],
    },
    owner: { login: seed.owners[0].email, password: { env: 'STAGING_PASSWORD' } },
    projects: [project.id, ...projects.slice(0, 1).map(({ id }) => id)],
    users: [user, ...[second, third].filter((id) => id !== undefined)],
    lock: lockUser === undefined ? false : { project: project.id, user: lockUser },
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
  } satisfies ConfigurationFile;
}

export function emulatorSecrets({ seed }: Emulator): Readonly<Record<string, string>> {
  return {
    STAGING_CLIENT_SECRET: seed.applications[0].clientSecret,
    STAGING_PASSWORD: seed.owners[0].password,
  };
}

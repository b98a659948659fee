import type { Emulator } from '../../emulator/start-emulator.ts';

export type Variable = readonly [name: string, value: string];

/**
 * Returns the variables for a client of a running emulator. Their names begin with LEGACY_, because libraries read `AUTH_URL` and
 * similar ones. Those for trusted certificates have the names that Node, OpenSSL and Python's requests read.
 *
 * @param caFile path of the authority's certificate, for HTTPS
 */
export function variablesOf(emulator: Emulator, caFile: string | undefined): readonly Variable[] {
  const { authUrl, baseUrl, seed, controlUrl, controlToken = '' } = emulator;
  const [{ clientId, clientSecret, redirectUris }] = seed.applications;
  const assigned = new Set(seed.assignments.map(({ user }) => user));
  const [user] = [...seed.users.filter(({ id }) => !assigned.has(id)), ...seed.users];
  return [
    ['LEGACY_AUTH_URL', authUrl],
    ['LEGACY_BASE_URL', baseUrl],
    ['LEGACY_CLIENT_ID', clientId],
    ['LEGACY_CLIENT_SECRET', clientSecret],
    ['LEGACY_REDIRECT_URI', redirectUris[0] ?? ''],
    ['LEGACY_PROJECT_ID', seed.projects[0].id],
    ['LEGACY_USER_ID', user?.id ?? ''],
    ...(controlUrl === undefined
      ? []
      : [['LEGACY_CONTROL_URL', controlUrl] as const, ['LEGACY_CONTROL_TOKEN', controlToken] as const]),
    ...(caFile === undefined ? [] : TRUST.map((name) => [name, caFile] as const)),
  ];
}

/** Node adds the file to its trusted authorities; OpenSSL and Python's requests replace theirs with it. */
const TRUST = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'] as const;

/** Returns lines for shells and dotenv readers; values are in single quotes unless plain. */
export function dotenv(variables: readonly Variable[]): string {
  return variables.map(([name, value]) => `${name}=${quoted(value)}\n`).join('');
}

function quoted(value: string): string {
  return /^[\w./:@%+,=-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

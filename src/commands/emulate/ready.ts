import { unlessPlain } from '../../document/input/shell-quotes.ts';
import type { RehearsedEnd } from '../../emulator/simulation/retirement.ts';
import type { Emulator } from '../../emulator/start/start-emulator.ts';
import { presentTexts } from '../../report/words.ts';

/** Returns the data of `--json`. */
export function summary(emulator: Emulator, caFile: string | undefined) {
  const { authUrl, baseUrl, controlUrl, controlToken, profile, seed } = emulator;
  return {
    authUrl,
    baseUrl,
    controlUrl,
    controlToken,
    caFile,
    profile: profile.name,
    defects: emulator.control.defects.active(),
    expiresIn: emulator.control.lifetime.read().expiresIn,
    applications: seed.applications.map(({ name, clientId, clientSecret, redirectUris }) => ({
      name,
      clientId,
      clientSecret,
      redirectUris,
    })),
    owners: seed.owners.map(({ name, email, password }) => ({ name, email, password })),
    projects: seed.projects,
    users: seed.users,
    assignments: seed.assignments,
    authorizeUrl: emulator.authorizeUrl,
  };
}

/** Returns the text of an emulator that is ready. */
export function readyBlock(
  emulator: Emulator,
  caFile: string | undefined,
  { brownout, from, announced }: RehearsedEnd = {},
): string {
  const { authUrl, seed } = emulator;
  const [owner] = seed.owners;
  const assigned = (project: string) =>
    seed.assignments.filter((a) => a.project === project).map((a) => a.user);
  const ends = presentTexts(
    brownout && `BROWNOUT: refuses requests for ${brownout.lasts} s in every ${brownout.every} s`,
    from !== undefined && `RETIRED from ${new Date(from * 1_000).toISOString().slice(0, 10)} on: answers 410`,
    announced && 'ANNOUNCED: answers have Sunset and Deprecation headers',
  );
  return `${[headline(emulator), ...ends].join('\n')}

${dotenv(variablesOf(emulator, caFile))}
sign in as  ${owner.email}
password    ${owner.password}
projects    ${seed.projects.map((p) => `${p.id} (${p.name}; assigned: ${assigned(p.id).join(', ') || 'none'})`).join('\n            ')}
users       ${seed.users.map((u) => `${u.id} (${u.name})`).join(', ')}

start here  ${authUrl}/
authorize   ${emulator.authorizeUrl}
account     ${authUrl}/access-keys/applications
ready       ${authUrl}/healthz

Stop with Ctrl+C.
`;
}

function headline({ profile, control }: Emulator): string {
  const defects = control.defects.active();
  const { expiresIn, documented } = control.lifetime.read();
  const { user } = control.autoConsent.read();
  return presentTexts(
    `The legacy service, emulated: profile ${profile.name}${defects.length > 0 ? `, DEFECTS ON: ${defects.join(', ')}` : ''}`,
    !documented && `ACCESS TOKENS LIVE ${expiresIn} s: this departs from the document (7200, clause 8)`,
    user !== null && `authorization requests are granted without a form, as ${user}`,
  ).join('\n');
}

type Variable = readonly [name: string, value: string];

/**
 * Returns the variables for a client of a running emulator. Their names begin with LEGACY_, because libraries read `AUTH_URL` and
 * similar ones. Those for trusted certificates have the names that Node, OpenSSL and Python's requests read.
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
  return variables.map(([name, value]) => `${name}=${unlessPlain(value)}\n`).join('');
}

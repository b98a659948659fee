import type { Emulator } from '../../emulator/start-emulator.ts';
import { dotenv, variablesOf } from './variables.ts';

export function summary(emulator: Emulator, caFile: string | undefined) {
  const { authUrl, baseUrl, controlUrl, controlToken, profile, seed } = emulator;
  return {
    authUrl,
    baseUrl,
    ...(controlUrl === undefined ? {} : { controlUrl, controlToken }),
    ...(caFile === undefined ? {} : { caFile }),
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

export function readyBlock(emulator: Emulator, caFile: string | undefined): string {
  const { authUrl, seed } = emulator;
  const [owner] = seed.owners;
  const assigned = (project: string) =>
    seed.assignments.filter((a) => a.project === project).map((a) => a.user);
  return `${headline(emulator)}

${dotenv(variablesOf(emulator, caFile))}
sign in as  ${owner.email}
password    ${owner.password}
projects    ${seed.projects.map((p) => `${p.id} (${p.name}; assigned: ${assigned(p.id).join(', ') || 'none'})`).join('\n            ')}
users       ${seed.users.map((u) => `${u.id} (${u.name})`).join(', ')}

authorize   ${emulator.authorizeUrl}
account     ${authUrl}/access-keys/applications
ready       ${new URL(authUrl).origin}/healthz

Stop with Ctrl+C.
`;
}

function headline({ profile, control }: Emulator): string {
  const defects = control.defects.active();
  const { expiresIn, documented } = control.lifetime.read();
  const { user } = control.autoConsent.read();
  return [
    `The legacy service, emulated: profile ${profile.name}${defects.length > 0 ? `, DEFECTS ON: ${defects.join(', ')}` : ''}`,
    ...(documented
      ? []
      : [`ACCESS TOKENS LIVE ${expiresIn} s: this departs from the document (7200, clause 8)`]),
    ...(user === null ? [] : [`authorization requests are granted without a form, as ${user}`]),
  ].join('\n');
}

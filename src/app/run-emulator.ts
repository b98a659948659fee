import { UsageError } from '../cli/usage-error.ts';
import type { EmulatorOptions } from '../emulator/emulator-options.ts';
import type { Seed } from '../emulator/seed.ts';
import { type Emulator, startEmulator } from '../emulator/start-emulator.ts';
import { printableJson } from '../report/printable.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { print } from './print.ts';
import { knownProfile } from './read-profile.ts';

/** What was asked of `emulate` on the command line. */
export interface EmulateRequest {
  readonly host: string;
  readonly port: number;
  readonly apiPort: number;
  readonly oneOrigin: boolean;
  readonly profile: string;
  readonly seed: string | undefined;
  readonly defects: readonly string[];
  /** Whether the control port is opened; a number is its port. */
  readonly control: boolean | number;
  readonly controlToken: string | undefined;
  readonly json: boolean;
}

/**
 * The verb `emulate`: runs the service offline until it is told to stop (SIGINT or SIGTERM), its clock following real time. SIGHUP ends
 * it as it ends any process, so that `nohup` works.
 *
 * @param whenOrphaned calls back when what started the command is gone
 * @returns the exit code, once everything is closed
 * @throws UsageError when a profile, a defect, a seed or a port is not to be had
 */
export async function runEmulator(
  request: EmulateRequest,
  whenOrphaned: (callback: () => void) => void,
): Promise<ExitCode> {
  const emulator = await start(request);
  print(request.json ? `${printableJson(JSON.stringify(summary(emulator)))}\n` : readyBlock(emulator));
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    whenOrphaned(resolve);
  });
  await emulator.close();
  if (!request.json) print('stopped\n');
  return EXIT.conforms;
}

async function start(request: EmulateRequest): Promise<Emulator> {
  const { profile } = await knownProfile('--profile', request.profile);
  const seed = request.seed === undefined ? undefined : await readSeed(request.seed);
  try {
    return await startEmulator({
      host: request.host,
      port: request.port,
      apiPort: request.apiPort,
      oneOrigin: request.oneOrigin,
      profile,
      ...(await defects(request)),
      clock: 'real',
      seed,
      control: control(request),
    });
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException), { cause: error });
  }
}

/** Loaded only when asked for, like the defects: whoever waits for an emulator waits for everything it loads. */
async function readSeed(file: string): Promise<Seed> {
  const { loadSeed } = await import('../emulator/load-seed.ts');
  return loadSeed(file);
}

/** The defects that are on, and all that the control port may switch on. */
async function defects(request: EmulateRequest): Promise<Pick<EmulatorOptions, 'defects' | 'knownDefects'>> {
  if (request.defects.length === 0 && request.control === false) return {};
  const { DEFECTS, defectsById } = await import('../emulator/defects/index.ts');
  return { defects: defectsById(request.defects), knownDefects: DEFECTS };
}

function control(request: EmulateRequest) {
  if (request.control === false) return false;
  return {
    ...(typeof request.control === 'number' ? { port: request.control } : {}),
    token: request.controlToken,
  };
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') {
    return `${error.message}: the port is taken; choose another with --port and --api-port, or 0 for any`;
  }
  if (error.code === 'EACCES')
    return `${error.message}: this port needs rights that you do not have; choose one from 1024`;
  return error.message;
}

/** The addresses, credentials and ids of a running emulator, for programs. */
function summary(emulator: Emulator) {
  const { authUrl, baseUrl, controlUrl, controlToken, profile, seed } = emulator;
  return {
    authUrl,
    baseUrl,
    ...(controlUrl === undefined ? {} : { controlUrl, controlToken }),
    profile: profile.name,
    defects: emulator.control.defects.active(),
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
    authorizeUrl: authorizeUrl(emulator),
  };
}

function authorizeUrl({ authUrl, seed }: Emulator): string {
  const [application] = seed.applications;
  const query = new URLSearchParams({
    client_id: application?.clientId ?? '',
    redirect_uri: application?.redirectUris[0] ?? '',
    response_type: 'code',
    scope: 'read write destroy',
  });
  return `${authUrl}/oauth/authorize?${query}`;
}

/** What a person needs to begin: everything ready to be pasted into a shell or a browser. */
function readyBlock(emulator: Emulator): string {
  const { seed } = emulator;
  const [application] = seed.applications;
  const [owner] = seed.owners;
  const defects = emulator.control.defects.active();
  const assigned = (project: string) =>
    seed.assignments.filter((a) => a.project === project).map((a) => a.user);
  return `The legacy service, emulated: profile ${emulator.profile.name}${defects.length > 0 ? `, DEFECTS ON: ${defects.join(', ')}` : ''}

LEGACY_AUTH_URL=${emulator.authUrl}
LEGACY_BASE_URL=${emulator.baseUrl}
LEGACY_CLIENT_ID=${application?.clientId}
LEGACY_CLIENT_SECRET=${application?.clientSecret}
LEGACY_REDIRECT_URI='${application?.redirectUris[0]}'
${emulator.controlUrl === undefined ? '' : `LEGACY_CONTROL_URL=${emulator.controlUrl}\nLEGACY_CONTROL_TOKEN=${emulator.controlToken}\n`}
sign in as  ${owner?.email}
password    ${owner?.password}
projects    ${seed.projects.map((p) => `${p.id} (${p.name}; assigned: ${assigned(p.id).join(', ') || 'nobody'})`).join('\n            ')}
users       ${seed.users.map((u) => `${u.id} (${u.name})`).join(', ')}

authorize   ${authorizeUrl(emulator)}
account     ${emulator.authUrl}/access-keys/applications

Stop with Ctrl+C.
`;
}

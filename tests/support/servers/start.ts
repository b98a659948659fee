import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { SERVERS_FOLDER, type Server } from './server.ts';

/** The owner, the applications and the records of a server. Secrets are made at each start. */
export const SEEDS = {
  login: 'conformance@service.example',
  clientId: 'conformance-client',
  secondClientId: 'conformance-second',
  redirectUris: [
    'https://client.example/callback',
    'https://client.example/return?tenant=blue',
    'http://127.0.0.1:9999/callback',
  ],
  secondRedirectUris: ['https://second.example/callback'],
  projects: ['101', '102'],
  users: ['501', '502', '503'],
  lockUser: '504',
} as const;

/** Secrets, under the names of the variables that the configuration refers to. */
interface ServerSecrets {
  readonly SERVER_CLIENT_SECRET: string;
  readonly SERVER_SECOND_SECRET: string;
  readonly SERVER_PASSWORD: string;
  readonly SERVER_CLOCK_TOKEN: string;
}

export interface RunningServer {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly secrets: ServerSecrets;
  stop(): Promise<void>;
}

const READY_MS = 60_000;
const STOP_MS = 8_000;

/** Returns the Debian packages of a server that are not installed. */
export function missingPackages({ packages }: Server): readonly string[] {
  return packages.filter((name) => {
    const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
    return !(stdout ?? '').includes('Status: install ok installed');
  });
}

/**
 * Starts a host on free ports of 127.0.0.1.
 *
 * @param environment variables of the host, over the seeds
 * @param log file for what the host prints
 * @throws {Error} when it does not say that it is ready
 */
export async function startServer(
  server: Server,
  environment: Readonly<Record<string, string>>,
  log: string,
): Promise<RunningServer> {
  const secret = () => randomBytes(24).toString('base64url');
  const secrets = {
    SERVER_CLIENT_SECRET: secret(),
    SERVER_SECOND_SECRET: secret(),
    SERVER_PASSWORD: secret(),
    SERVER_CLOCK_TOKEN: secret(),
  };
  const [program, file] = server.start;
  const output = openSync(log, 'a');
  const child = spawn(
    program === 'node' ? process.execPath : program,
    [join(SERVERS_FOLDER, server.name, file)],
    {
      stdio: ['ignore', 'pipe', output],
      env: { ...process.env, ...seedVariables(secrets), ...environment },
    },
  );
  closeSync(output);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = () => stopChild(child, gone);
  const ready = await Promise.race([readyLine(child), gone, delay(READY_MS)]);
  if (typeof ready !== 'string') {
    await stop();
    throw new Error(`${server.name} did not start: ${readFileSync(log, 'utf8').slice(-2_000)}`);
  }
  const [authUrl = '', baseUrl = authUrl] = ready.split(' ');
  return { authUrl, baseUrl, secrets, stop };
}

function seedVariables(secrets: ServerSecrets): Readonly<Record<string, string>> {
  return {
    PORT: '0',
    API_PORT: '0',
    SEED_CLIENT_ID: SEEDS.clientId,
    SEED_CLIENT_SECRET: secrets.SERVER_CLIENT_SECRET,
    SEED_REDIRECT_URIS: JSON.stringify(SEEDS.redirectUris),
    SEED_CLIENT2_ID: SEEDS.secondClientId,
    SEED_CLIENT2_SECRET: secrets.SERVER_SECOND_SECRET,
    SEED_CLIENT2_REDIRECT_URIS: JSON.stringify(SEEDS.secondRedirectUris),
    SEED_USERS: JSON.stringify([{ email: SEEDS.login, password: secrets.SERVER_PASSWORD }]),
    SEED_PROJECTS: JSON.stringify(SEEDS.projects),
    SEED_ASSIGNMENTS: '{}',
    SEED_CLOCK_TOKEN: secrets.SERVER_CLOCK_TOKEN,
  };
}

/** Resolves with the addresses that a host prints once it takes requests: `ready AUTH_URL [BASE_URL]`. */
function readyLine({ stdout }: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve) => {
    stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, addresses] = /^ready (.+)\n/m.exec(printed) ?? [];
      if (addresses !== undefined) resolve(addresses);
    });
  });
}

async function stopChild(child: ChildProcess, gone: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const ended = await Promise.race([gone.then(() => true), delay(STOP_MS)]);
  if (ended === true) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Keeps no process alive. */
function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, undefined).unref();
  });
}

/** The configuration of a server that runs, as its tester would write it; fast, because it is on this machine. */
export function serverConfiguration(server: Server, { authUrl, baseUrl }: RunningServer): ConfigurationFile {
  const { consent, ...pages } = server.configuration;
  const clock = { advanceUrl: `${authUrl}/clock/advance`, token: { env: 'SERVER_CLOCK_TOKEN' } };
  return {
    name: server.name,
    authUrl,
    baseUrl,
    application: {
      clientId: SEEDS.clientId,
      clientSecret: { env: 'SERVER_CLIENT_SECRET' },
      redirectUris: [...SEEDS.redirectUris],
    },
    secondApplication: {
      clientId: SEEDS.secondClientId,
      clientSecret: { env: 'SERVER_SECOND_SECRET' },
      redirectUris: [...SEEDS.secondRedirectUris],
    },
    owner: { login: SEEDS.login, password: { env: 'SERVER_PASSWORD' } },
    projects: [...SEEDS.projects],
    users: [...SEEDS.users],
    lock: { project: SEEDS.projects[0], user: SEEDS.lockUser },
    // Its pages arrive whole from the host: nothing on them moves later.
    consent: { ...consent, settleMs: 150 },
    ...pages,
    ...(server.clock && { clock }),
    pacing: { requestsPerSecond: 200, deadlineMs: 30_000 },
    budget: { requests: 20_000, signIns: 12, refusedAuthentications: 2_000, seconds: 1_800 },
  };
}

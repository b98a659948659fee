import type { WholeProfile } from '../emulator/policy/profile.ts';
import type { EmulatorOptions } from '../emulator/start/emulator-options.ts';
import { type Emulator, startEmulator } from '../emulator/start/start-emulator.ts';
import { defaultSeed } from '../emulator/store/default-seed.ts';
import { formattedId, type Seed } from '../emulator/store/seed.ts';
import type { Ports } from './drive/ports.ts';

export const UNKNOWN_PROJECT = '999999';

/** Records of the seed that situations name. The user of calls is not assigned at the start. */
const PLACES = { project: '1041', emptyProject: '1043', longProject: '1099', user: '505' };

/** Their ids as the emulator has them, in the form of its profile. */
export type Places = Readonly<Record<keyof typeof PLACES | 'unknownProject', string>>;

export function placesIn({ answers }: WholeProfile): Places {
  const project = (id: string) => formattedId('project', id, answers);
  return {
    project: project(PLACES.project),
    emptyProject: project(PLACES.emptyProject),
    longProject: project(PLACES.longProject),
    unknownProject: UNKNOWN_PROJECT,
    user: formattedId('user', PLACES.user, answers),
  };
}

const MANY = 10_000;

export function clientSeed(application: SeededApplication, long: boolean): Seed {
  const crowd = long
    ? Array.from({ length: MANY }, (_, index) => ({
        id: String(20_000 + index),
        name: `User ${index}`,
        email: `user${index}@example.test`,
      }))
    : [];
  const longProject = {
    id: PLACES.longProject,
    name: 'Central station',
    assignedUsers: crowd.map(({ id }) => id),
  };
  return {
    ...defaultSeed,
    applications: [{ name: 'The client', ...application, redirectUris: [...application.redirectUris] }],
    projects: [...defaultSeed.projects, ...(long ? [longProject] : [])],
    users: [...defaultSeed.users, ...crowd],
  };
}

/** The client as the service knows it. A missing id or secret is generated. */
interface SeededApplication {
  readonly redirectUris: readonly string[];
  readonly clientId?: string;
  readonly clientSecret?: string;
}

const MOST_TRIES = 5;

export async function emulatorOn(ports: Ports, options: EmulatorOptions): Promise<Emulator> {
  for (let tries = 1; ; tries += 1) {
    const [port, apiPort, controlPort] = await Promise.all([ports.take(), ports.take(), ports.take()]);
    const control = options.control ? { ...options.control, port: controlPort } : false;
    try {
      return await startEmulator({ ...options, addresses: { ...options.addresses, port, apiPort }, control });
    } catch (error) {
      // Another program took the port first.
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken || tries === MOST_TRIES) throw error;
    }
  }
}

/**
 * Accepts client credentials in the form only (clauses 4.2 and 4.3). Refuses them elsewhere alike for both grants, because
 * some services answer a refresh without credentials as if its token were dead.
 */
export function credentialsInFormOnly(profile: WholeProfile): WholeProfile {
  const { answers } = profile;
  return {
    ...profile,
    answers: {
      ...answers,
      'client-authentication.basic': false,
      'client-authentication.query-string': false,
      'client-authentication.json-body': false,
      'client-authentication.multipart': false,
      'token-failures.refresh.no-client-id': answers['token-failures.exchange.no-client-id'],
    },
  };
}

/** Uses another name of loopback: on the same host a client may take headers and body to another port. */
export function addressOnLocalhost(origin: string, path: string): string {
  const url = new URL(path, origin);
  url.hostname = 'localhost';
  return url.href;
}

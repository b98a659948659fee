import { createRealClock, createVirtualClock } from './clock.ts';
import { type Control, createControl } from './control.ts';
import { defaultSeed } from './default-seed.ts';
import { dispatch } from './dispatch.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { Faults } from './faults.ts';
import { Journal } from './journal.ts';
import { DEFAULT_PROFILE, loadProfile } from './load-profile.ts';
import { openOrigins } from './origins.ts';
import { policyFromProfile } from './policy/from-profile.ts';
import type { Profile } from './profile.ts';
import { createRandomness, createSeededRandomness } from './randomness.ts';
import { type ResolvedSeed, resolveSeed } from './seed.ts';
import type { Service } from './service.ts';
import { createMemoryStore } from './store/memory.ts';

/** A running emulator. */
export interface Emulator {
  /** The document's {auth_url}. */
  readonly authUrl: string;
  /** The document's {base_url}. */
  readonly baseUrl: string;
  readonly controlUrl?: string;
  readonly controlToken?: string;
  readonly profile: Profile;
  /** What is in it, secrets and passwords included. */
  readonly seed: ResolvedSeed;
  readonly control: Control;
  /** Back to the seed. */
  reset(): void;
  /** Closes all sockets; resolves when none is open. */
  close(): Promise<void>;
  /**
   * Dispatches a request without a socket to what its address names. Never follows a redirect.
   *
   * @throws TypeError when the address is none of the emulator's, or a fault breaks the connection
   */
  fetch(request: Request): Promise<Response>;
}

/**
 * Starts the service, offline (clauses 1 to 9).
 *
 * @throws TypeError when the profile, the seed or a path is none; the socket's error when a port is taken
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const service = createService(await profileOf(options), options);
  const faults = new Faults();
  const journal = new Journal();
  const closing = new AbortController();
  const { defects = [], knownDefects = [] } = options;
  service.defects = defects.map(({ id }) => id);
  const control = createControl(service, [...defects, ...knownDefects], faults, journal);
  control.reset();

  const origins = await openOrigins({ service, faults, journal, closing: closing.signal }, options);
  const { authUrl, baseUrl } = origins;
  service.addresses = { authUrl, baseUrl };
  const port = await controlPort(control, service, options).catch(async (error) => {
    await origins.close();
    throw error;
  });
  if (port !== undefined) service.addresses = { authUrl, baseUrl, controlUrl: port.origin };
  const apps = port === undefined ? origins.apps : new Map([...origins.apps, [port.origin, port.app]]);

  return {
    authUrl,
    baseUrl,
    ...(port === undefined ? {} : { controlUrl: port.origin, controlToken: port.token }),
    profile: service.profile,
    get seed() {
      return service.seed;
    },
    control,
    reset: control.reset,
    async close() {
      closing.abort();
      await Promise.all([origins.close(), port?.close()]);
    },
    async fetch(request) {
      const { origin } = new URL(request.url);
      const app = apps.get(origin);
      if (app !== undefined) return dispatch(app, request);
      throw new TypeError(`The emulator answers at ${[...apps.keys()].join(' and ')}; asked was ${origin}.`);
    },
  };
}

async function profileOf({ profile = DEFAULT_PROFILE }: EmulatorOptions): Promise<Profile> {
  return typeof profile === 'string' ? loadProfile(profile) : profile;
}

/** Loaded only when asked for: most starts have no control port, and starting is to be fast. */
async function controlPort(control: Control, service: Service, options: EmulatorOptions) {
  if (!options.control) return undefined;
  const { openControlPort } = await import('./control-port.ts');
  return openControlPort(control, service, options.control, options.listen ?? true);
}

function createService(profile: Profile, options: EmulatorOptions): Service {
  const randomness =
    options.randomSeed === undefined ? createRandomness() : createSeededRandomness(options.randomSeed);
  return {
    profile,
    clock: options.clock === 'real' ? createRealClock() : createVirtualClock(options.clockStart),
    randomness,
    policy: policyFromProfile(profile),
    store: createMemoryStore(),
    seed: resolveSeed(options.seed ?? defaultSeed, profile.answers['id-forms'], randomness),
    defects: [],
    addresses: { authUrl: '', baseUrl: '' },
  };
}

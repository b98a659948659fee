import type { Certificates } from '../../http/certificates.ts';
import { type Control, createControl } from '../control/control.ts';
import { type GrantedTokens, type GrantedTokensOptions, grantTokens } from '../control/granted-tokens.ts';
import type { Defect } from '../defects/define-defect.ts';
import { Journal } from '../journal/journal.ts';
import { policyFromProfile } from '../policy/from-profile.ts';
import { DEFAULT_PROFILE, loadProfile, wholeProfile } from '../policy/load-profile.ts';
import type { WholeProfile } from '../policy/profile.ts';
import { authorizeUrlOf, type Service } from '../service.ts';
import { Faults } from '../simulation/faults.ts';
import { Holds } from '../simulation/holds.ts';
import { expiresInOption } from '../simulation/token-changes.ts';
import { createRealClock, createVirtualClock } from '../store/clock.ts';
import { defaultSeed } from '../store/default-seed.ts';
import { createRandomness, createSeededRandomness } from '../store/randomness.ts';
import { openState, savedState } from '../store/saved-state.ts';
import { type ResolvedSeed, resolveSeed, withApplication, withCallback } from '../store/seed.ts';
import { createStore } from '../store/store.ts';
import { type EmulatorOptions, requireOptions } from './emulator-options.ts';
import { answerPlain, answerRequest, type PlainAnswer, type PlainRequest } from './in-process.ts';
import { openOrigins, publicAddresses } from './origins.ts';

export interface Emulator {
  /** The document's {auth_url}. */
  readonly authUrl: string;
  /** The document's {base_url}. */
  readonly baseUrl: string;
  readonly controlUrl?: string;
  readonly controlToken?: string;
  /** With `tls`: the authority's certificate, PEM. */
  readonly caCertificate?: string;
  readonly profile: WholeProfile;
  /** Its records, secrets and passwords included. */
  readonly seed: ResolvedSeed;
  /** An authorization request of the seed's first application, for all scopes (clause 4.1): open it in a browser. */
  readonly authorizeUrl: string;
  readonly control: Control;
  /** Returns a token pair of the first application, as if a user had signed in and granted. */
  tokens(options?: GrantedTokensOptions): GrantedTokens;
  /** Returns applications, grants, codes, tokens and assignments for the option `state` of a later start. Secrets are in it. */
  state(): Uint8Array;
  /** Restores the seed and the initial state; a saved state that it was started with is gone then. */
  reset(): void;
  /** Closes all sockets; resolves when none is open. */
  close(): Promise<void>;
  /** Closes it where its variable ends: `await using emulator = await startEmulator()`. */
  [Symbol.asyncDispose](): Promise<void>;
  /**
   * Dispatches a request by its address, without a socket. Never follows a redirect.
   * @throws TypeError for an address outside the emulator, and if a fault breaks the connection
   */
  fetch(request: Request): Promise<Response>;
  /** Like `fetch`, but without its objects, which take longer than the service. The answer comes after an abort too. */
  answer(request: PlainRequest, signal?: AbortSignal): Promise<PlainAnswer>;
}

/**
 * Starts the service, offline (clauses 1 to 9).
 * @throws TypeError for an unknown option, and an invalid profile, path or address; RangeError for an invalid number, defect or seed; the socket's error if a
 * port is taken
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  requireOptions(options);
  const { profile = DEFAULT_PROFILE } = options;
  const whole = typeof profile === 'string' ? await loadProfile(profile) : await wholeProfile(profile);
  const service = createService(whole, options);
  const faults = new Faults(service);
  const holds = new Holds(service);
  const journal = new Journal(service, options.journalLimit);
  const closing = new AbortController();
  const { defects = [] } = options;
  const own = defects.filter((one) => typeof one !== 'string');
  const known = [...(await shippedDefects(options)), ...own];
  service.defects = defects.map((one) => (typeof one === 'string' ? one : one.id));
  const restore = options.state && openState(service, options.state);
  const control = createControl(service, known, { faults, holds, journal }, options.autoConsent);
  control.reset();
  restore?.();

  const tls = await certificates(options);
  const emulatorParts = { service, faults, holds, journal, closing: closing.signal };
  const origins = await openOrigins(emulatorParts, options, tls);
  const { authUrl, baseUrl } = origins;
  service.addresses = { authUrl, baseUrl };
  if (options.ownCallback) {
    service.seed = withCallback(service.seed, `${authUrl}/callback`);
    control.reset();
  }
  // Loaded only on demand: most starts have no control port, and starting must be fast.
  const openPort = async () => {
    if (!options.control) return undefined;
    const { openControlPort } = await import('../control/control-port.ts');
    return openControlPort(control, service, options, closing.signal);
  };
  const port = await openPort().catch(async (error) => {
    await origins.close();
    throw error;
  });
  service.addresses = { authUrl, baseUrl, controlUrl: port?.origin };
  const handlers = new Map(origins.handlers);
  if (port !== undefined) handlers.set(port.origin, port.handler);

  const close = async () => {
    holds.reset();
    closing.abort();
    await Promise.all([origins.close(), port?.close()]);
  };
  return {
    authUrl,
    baseUrl,
    controlUrl: port?.origin,
    controlToken: port?.token,
    caCertificate: tls?.ca,
    profile: service.profile,
    get seed() {
      return service.seed;
    },
    get authorizeUrl() {
      return authorizeUrlOf(service);
    },
    control,
    tokens: (given = {}) => grantTokens(service, given),
    state: () => savedState(service),
    reset: control.reset,
    close,
    [Symbol.asyncDispose]: close,
    answer: (request, signal) => answerPlain(handlers, request, signal),
    fetch: (request) => answerRequest(handlers, request),
  };
}

/** Loaded only where a defect can be switched on: starting must be fast. */
async function shippedDefects({ control, defects = [] }: EmulatorOptions): Promise<readonly Defect[]> {
  if (control === false && !defects.some((one) => typeof one === 'string')) return [];
  return (await import('../defects/index.ts')).DEFECTS;
}

/** Created at every start, and loaded only on demand. */
async function certificates({ addresses = {} }: EmulatorOptions): Promise<Certificates | undefined> {
  const { tls, host } = addresses;
  if (!tls) return undefined;
  const { makeCertificates } = await import('../../http/certificates.ts');
  const own = host === undefined || host === '0.0.0.0' || host === '::' ? [] : [host];
  const hosts = new Set(['localhost', '127.0.0.1', '::1', ...own, ...publicAddresses(addresses).hosts]);
  // Real time, because a client checks the certificate with its own clock.
  return makeCertificates([...hosts], new Date());
}

function createService(profile: WholeProfile, options: EmulatorOptions): Service {
  const randomness =
    options.randomSeed === undefined ? createRandomness() : createSeededRandomness(options.randomSeed);
  const { clock, seed = defaultSeed, application = {} } = options;
  return {
    profile,
    clock: clock === 'real' ? createRealClock() : createVirtualClock(clock),
    randomness,
    policy: policyFromProfile(profile),
    store: createStore(),
    seed: resolveSeed(
      withApplication(seed, application),
      profile.answers,
      options.stableSeed ? createSeededRandomness('legacy') : randomness,
    ),
    defects: [],
    addresses: { authUrl: '', baseUrl: '' },
    expiresIn: options.expiresIn === undefined ? undefined : expiresInOption(options.expiresIn),
    retirement: options.retirement ?? {},
    tokenForm: 'profile',
    autoConsent: undefined,
  };
}

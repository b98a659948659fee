import { type AbilityId, abilityIds } from '../../generated/ids.ts';
import type { Defect } from '../emulator/defects/define-defect.ts';
import { SHORT_JOURNAL } from '../emulator/journal/journal.ts';
import type { Profile } from '../emulator/policy/profile.ts';
import { tokenPlaces } from '../emulator/policy/token.ts';
import type { EmulatorOptions } from '../emulator/start/emulator-options.ts';
import { startEmulator } from '../emulator/start/start-emulator.ts';
import { roomySeed } from '../emulator/store/default-seed.ts';
import { Aborted, type Transport, TransportFailure, unlessAborted, withinMs } from '../http/exchange.ts';
import { DEFAULT_LIMITS, nodeTransport } from '../http/node-transport.ts';
import { REAL_CLOCK } from '../http/paced-transport.ts';
import { unreachable } from '../http/unreachable.ts';
import { type Application, type FormPages, type Target, TOKEN_PLACES } from './target.ts';

interface EmulatorTargetOptions {
  readonly profile: Profile | string;
  readonly defects: readonly (Defect | string)[];
  /** If false, opens no socket and handles requests in-process. */
  readonly sockets: boolean;
  readonly start?: EmulatorStart;
  /** Gives the suite all projects and all unassigned users, more than a live target has. */
  readonly roomy?: boolean;
}

export type EmulatorStart = Pick<EmulatorOptions, 'seed' | 'addresses'>;

const PAGES: FormPages = {
  signInForm: 'input[name=password]',
  signIn: [
    { fill: 'input[name=email]', with: 'login' },
    { fill: 'input[name=password]', with: 'password' },
    { click: { button: 'Sign in' } },
  ],
  grant: 'button[name=decision][value=grant]',
  deny: 'button[name=decision][value=deny]',
  consentShown: 'once',
  signInOrigins: [],
  interstitials: [],
  settleMs: 0,
  pageDeadlineMs: 10_000,
  accountArea: {
    path: '/access-keys/applications',
    open: { button: 'New application' },
    name: 'input[name=name]',
    redirectUris: 'textarea[name=redirect_uris]',
    fields: [],
    submit: { button: 'Create application' },
    clientId: '#client-id',
    clientSecret: '#client-secret',
  },
};

/** No skew: the emulator's clock is moved by hand. */
const NO_SKEW = 0;

export function emulatorToExplore(
  profile: Profile | string,
  defects: readonly (Defect | string)[],
): Promise<Target> {
  return emulatorTarget({
    profile,
    defects,
    sockets: false,
    roomy: true,
    start: { seed: roomySeed },
  });
}

export async function emulatorTarget(options: EmulatorTargetOptions): Promise<Target> {
  const emulator = await startEmulator({
    profile: options.profile,
    defects: options.defects,
    listen: options.sockets,
    journalLimit: SHORT_JOURNAL,
    ...options.start,
  });
  const { seed, profile } = emulator;
  const sockets = nodeTransport({}, DEFAULT_LIMITS, 'all');
  const owner = present(seed.owners[0], 'an owner');
  const projects = seed.projects.map((p) => p.id);
  const assigned = new Set(seed.assignments.map((a) => a.user));
  const free = seed.users.map((u) => u.id).filter((id) => !assigned.has(id));
  const { answers } = profile;
  const missing = new Map<AbilityId, string>();
  if (!answers['token-response-fields.extra-fields'].includes('scope')) {
    missing.set('scope-visible', 'the token response of this profile has no field `scope`');
  }
  return {
    kind: 'emulator',
    isLive: false,
    name: profile.name,
    authUrl: emulator.authUrl,
    baseUrl: emulator.baseUrl,
    profile: profile.name,
    defects: emulator.control.defects.active(),
    expectedWarnings: profile.warnings.map(({ requirement }) => requirement),
    application: applicationOf(present(seed.applications[0], 'an application')),
    secondApplication: applicationOf(present(seed.applications[1], 'a second application')),
    owner: { login: owner.email, password: owner.password },
    projects: [present(projects[0], 'a project'), ...projects.slice(1, options.roomy ? undefined : 2)],
    users: [present(free[0], 'a user who is not assigned'), ...free.slice(1, options.roomy ? undefined : 3)],
    abilities: new Set(abilityIds.filter((ability) => !missing.has(ability))),
    missing,
    presentation: TOKEN_PLACES[tokenPlaces(answers)[0] ?? 'authorization-header'],
    userIdPointer: `${answers['list-shape.container-pointer'] ?? ''}/*${answers['list-shape.user-id-pointer'] ?? ''}`,
    assignRequest: { headers: [] },
    unassignRequest: { headers: [] },
    pages: PAGES,
    skewSeconds: NO_SKEW,
    pause: REAL_CLOCK.sleep,
    unreached: unreachable,
    transport: options.sockets ? sockets.transport : inProcessTransport(emulator),
    clock: {
      advance: async (seconds) => {
        emulator.control.clock.advance(seconds);
      },
      now: () => emulator.control.clock.now(),
      standsStill: true,
    },
    forgetConsent: async () => emulator.control.forgetConsent(),
    restoreAssignments: async () => emulator.control.restoreAssignments(),
    close: async () => {
      sockets.close();
      await emulator.close();
    },
  };
}

function present<T>(seeded: T | undefined, what: string): T {
  if (seeded !== undefined) return seeded;
  throw new Error(`the emulator's seed has no ${what.replace(/^an? /, '')}; the checks need ${what}`);
}

function applicationOf({
  clientId,
  clientSecret,
  redirectUris: [first = '', ...others],
}: Omit<Application, 'redirectUris'> & { readonly redirectUris: readonly string[] }): Application {
  return { clientId, clientSecret, redirectUris: [first, ...others] };
}

export function inProcessTransport(emulator: { answer: Transport }): Transport {
  const { deadlineMs } = DEFAULT_LIMITS;
  const late = () => new TransportFailure('timeout', `no whole answer within ${deadlineMs} ms`);
  return async (request, signal) => {
    if (signal?.aborted) throw new Aborted(signal);
    try {
      return await withinMs(unlessAborted(emulator.answer(request, signal), signal), deadlineMs, late);
    } catch (error) {
      if (signal?.aborted) throw new Aborted(signal);
      if (error instanceof TransportFailure) throw error;
      const { message } =
        error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
      throw new TransportFailure('connection', `the connection failed: ${message}`, { cause: error });
    }
  };
}

import { FormAgent } from '../../agent/form-agent.ts';
import { credentialSource } from '../../agent/sign-in-values.ts';
import type { UserAgent } from '../../agent/user-agent.ts';
import { runChecks } from '../../checks/run/run-checks.ts';
import type { Configuration } from '../../config/configuration.ts';
import { CHECKS } from '../../conformance/index.ts';
import { loadProfile } from '../../emulator/load-profile.ts';
import { initialDialect, serviceOrigins, trustedOrigins } from '../../flow/connect.ts';
import { codesIn } from '../../flow/conversation.ts';
import { createSession, type Session } from '../../flow/session.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';
import { emulatorAsLiveTarget } from '../../targets/emulator-as-live.ts';
import type { Target } from '../../targets/target.ts';
import type { PageCosts } from './page-costs.ts';

/** What one run sends. */
export interface Requests {
  /** Authorizations that the owner decided, or that were granted already: in a browser that draws, and through its cookies alone. */
  readonly decided: { readonly drawn: number; readonly throughCookies: number };
  /** Requests of all kinds beside these. */
  readonly others: number;
}

/**
 * Runs every check that a live target's configuration allows on an emulator that is configured alike, in this process and
 * without a browser, and counts the requests by what sends them. Nothing is sent to the target.
 */
export async function rehearse(configuration: Configuration): Promise<Requests> {
  // Of what services do at open points, this takes requests in the middle: those that refuse earlier take fewer, those that ask again more.
  const profile = await loadProfile('by-the-rfc');
  const answers = {
    ...profile.answers,
    ...(asksAlways(configuration) && {
      'consent-memory.remembered': false,
      'consent-memory.remembered-for-fewer': false,
    }),
  };
  const counted: Counted = { drawn: 0, throughCookies: 0, requests: 0 };
  let target: Target | undefined;
  await runChecks({ target: { file: configuration.file }, profile: '', defects: [] }, CHECKS, {
    lanes: 1,
    listener: {},
    keepEvidence: false,
    open: async () => {
      const alike = (emulated: Configuration) => shapedAlike(emulated, configuration);
      target = await emulatorAsLiveTarget({ ...profile, answers }, [], alike);
      return target;
    },
    connectTo: async (opened, secrets) => ({
      session: countingSession(opened, secrets, counted),
      close: async () => undefined,
    }),
  });
  const all = target?.traffic?.used.requests ?? 0;
  const { requests, ...decided } = counted;
  return { decided, others: all - requests };
}

/**
 * Requests that a run will send.
 *
 * @param costs what an authorization takes at the target; as on the emulator when absent
 */
export function forecast(
  { decided, others }: Requests,
  configuration: Configuration,
  costs?: PageCosts,
): number {
  // The emulator shows one page, and its form is one more request.
  const own = asksAlways(configuration) ? 2 : 1;
  const { drawn, throughCookies } = costs ?? { drawn: own, throughCookies: own };
  return others + decided.drawn * drawn + decided.throughCookies * throughCookies;
}

function asksAlways({ consent }: Configuration): boolean {
  return consent.shown === 'always';
}

/** Authorizations that were decided, by how, and the requests that they took. */
interface Counted {
  drawn: number;
  throughCookies: number;
  requests: number;
}

/** The emulator's configuration with as many of everything as another has. */
function shapedAlike(emulated: Configuration, like: Configuration): Configuration {
  const [address = '', ...addresses] = emulated.application.redirectUris;
  const [user = '', ...users] = emulated.users;
  const [project = '', ...projects] = emulated.projects;
  return {
    ...emulated,
    application: {
      ...emulated.application,
      redirectUris: [address, ...addresses.slice(0, like.application.redirectUris.length - 1)],
    },
    secondApplication: like.secondApplication && emulated.secondApplication,
    users: [user, ...users.slice(0, like.users.length - 1)],
    projects: [project, ...projects.slice(0, like.projects.length - 1)],
    consent: {
      ...emulated.consent,
      shown: like.consent.shown,
      deny: like.consent.deny && emulated.consent.deny,
    },
    accountArea: like.accountArea && emulated.accountArea,
    clock: like.clock && emulated.clock,
    token: like.token,
    abilities: like.abilities,
  };
}

/** A session whose pages are walked without a browser, and counted as if one drew them. */
function countingSession(target: Target, secrets: SecretRegistry, counted: Counted): Session {
  const credentials = credentialSource(target.owner, trustedOrigins(target), target.mostSignIns);
  const agent = new FormAgent(target.pages, credentials, serviceOrigins(target));
  const counting = (kind: UserAgent['kind'], how: 'drawn' | 'throughCookies'): UserAgent => ({
    kind,
    authorize: async (...args) => {
      const before = target.traffic?.used.requests ?? 0;
      const outcome = await agent.authorize(...args);
      if (!outcome.decided && codesIn(outcome).length === 0) return outcome;
      counted[how] += 1;
      counted.requests += (target.traffic?.used.requests ?? 0) - before;
      return outcome;
    },
    createApplication: (...args) => agent.createApplication(...args),
  });
  return createSession({
    target,
    secrets,
    dialect: initialDialect(target),
    pageAgent: counting('page', 'drawn'),
    quickAgent: counting('cookies', 'throughCookies'),
    transport: target.transport,
    validator: () => undefined,
  });
}

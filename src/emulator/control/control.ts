import { didYouMean } from '../../document/input/usage-error.ts';
import { applyDefects, type Defect } from '../defects/define-defect.ts';
import type { EmulatorParts } from '../handle.ts';
import { asConfigured, policyFromProfile } from '../policy/from-profile.ts';
import type { OwnerDecision, Service } from '../service.ts';
import { expiresInOption, lifetimeOf, revoke } from '../simulation/token-changes.ts';
import { fillStore, ownerByEmail, resolveSeed, restoreAssignments, type Seed } from '../store/seed.ts';
import { createStore } from '../store/store.ts';
import type { AutoConsent, SituationControl } from './control-types.ts';

/** Numbers of records in the emulator's memory. */
export interface Stats {
  readonly applications: number;
  readonly owners: number;
  readonly sessions: number;
  readonly codes: number;
  readonly tokenPairs: number;
  readonly projects: number;
  readonly users: number;
}

/** Controls the emulator from outside the protocol: in-process, and through the control port. */
export interface Control extends SituationControl {
  readonly clock: {
    /** Seconds since the epoch. */
    now(): number;
    /** Moves the clock forward by seconds; returns the new time. */
    advance(seconds: number): number;
  };
  readonly defects: {
    active(): readonly string[];
    known(): readonly string[];
    /** Switches exactly these defects on, with a new state each. Throws a RangeError for an unknown id. */
    switch(ids: readonly string[]): void;
  };
  /** Returns the issued access and refresh tokens by value, with the names that the journal gives them. */
  issued(): ReadonlyMap<string, string>;
  /** Forgets the consent of an owner (by email), or of all owners. Tokens stay alive. */
  forgetConsent(email?: string): void;
  restoreAssignments(): void;
  stats(): Stats;
  /**
   * Restores the state at the start: seed, clock, defects, lifetime, form of tokens and automatic consent. Removes sessions,
   * codes, tokens, faults, holds, mark and journal; ordinals begin at 1.
   */
  reset(): void;
  /** Replaces the seed, and resets. */
  seed(seed: Seed): void;
}

/**
 * @param known every defect that can be switched on
 * @param autoConsent email of the owner who grants without a form from the start; true for the seed's first owner
 */
export function createControl(
  service: Service,
  known: readonly Defect[],
  { faults, holds, journal }: Pick<EmulatorParts, 'faults' | 'holds' | 'journal'>,
  autoConsent: string | true | undefined,
): Control {
  const { defects: atStart, expiresIn } = service;
  if (typeof autoConsent === 'string') ownerByEmail(autoConsent, service.seed);
  const byId = new Map(known.map((defect) => [defect.id, defect]));

  function switchDefects(ids: readonly string[]): void {
    const chosen = ids.map((id) => {
      const defect = byId.get(id);
      if (defect !== undefined) return defect;
      throw new RangeError(
        `Defects: expected ids that \`control.defects.known()\` lists, got ${JSON.stringify(id)}.${didYouMean(id, [...byId.keys()])}`,
      );
    });
    service.policy = applyDefects(asConfigured(policyFromProfile(service.profile), service), chosen);
    service.defects = ids;
  }

  function reset(): void {
    service.store = createStore();
    fillStore(service.seed, service.store);
    service.clock.reset();
    service.expiresIn = expiresIn;
    service.tokenForm = 'profile';
    const { owners } = service.seed;
    const owner = autoConsent === true ? owners[0] : owners.find(({ email }) => email === autoConsent);
    service.autoConsent = owner && { owner, decision: 'grant' };
    switchDefects(atStart);
    faults.reset();
    holds.reset();
    journal.reset();
  }

  return {
    clock: { now: service.clock.now, advance: service.clock.advance },
    defects: {
      active: () => service.defects,
      known: () => [...byId.keys()],
      switch: switchDefects,
    },
    faults,
    holds,
    journal,
    lifetime: {
      read: () => lifetimeOf(service),
      set(seconds) {
        service.expiresIn = seconds === undefined ? undefined : expiresInOption(seconds);
        return lifetimeOf(service);
      },
    },
    tokenForm: {
      read: () => service.tokenForm,
      set(form) {
        service.tokenForm = form;
      },
    },
    autoConsent: {
      read: () => shownConsent(service.autoConsent),
      set(user, decision = 'grant') {
        service.autoConsent =
          user === undefined ? undefined : { owner: ownerByEmail(user, service.seed), decision };
        return shownConsent(service.autoConsent);
      },
    },
    revoke: (what) => revoke(what, service.store),
    issued: () =>
      new Map(
        [...service.store.tokens.values()].flatMap((pair) => [
          [pair.accessToken, `access_token#${pair.accessOrdinal}`] as const,
          [pair.refreshToken, `refresh_token#${pair.refreshOrdinal}`] as const,
        ]),
      ),
    forgetConsent(email) {
      const owner = email === undefined ? undefined : ownerByEmail(email, service.seed, 'email');
      service.store.grants.forget(owner?.id);
    },
    restoreAssignments: () => restoreAssignments(service.seed, service.store),
    stats() {
      const { applications, owners, sessions, codes, tokens, projects, users } = service.store;
      return {
        applications: applications.size,
        owners: owners.size,
        sessions: sessions.size,
        codes: codes.size,
        tokenPairs: tokens.size,
        projects: projects.size,
        users: users.size,
      };
    },
    reset,
    seed(seed) {
      service.seed = resolveSeed(seed, service.profile.answers, service.randomness);
      reset();
    },
  };
}

function shownConsent(decision: OwnerDecision | undefined): AutoConsent {
  return decision === undefined
    ? { user: null }
    : { user: decision.owner.email, decision: decision.decision };
}

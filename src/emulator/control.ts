import type { Defect } from './defect.ts';
import { applyDefects } from './defect.ts';
import type { Fault, Faults } from './faults.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { policyFromProfile } from './policy/from-profile.ts';
import { plant, resolveSeed, restoreAssignments, type Seed } from './seed.ts';
import type { Service } from './service.ts';
import { createMemoryStore } from './store/memory.ts';

/** What the emulator remembers, in numbers. */
export interface Stats {
  readonly applications: number;
  readonly owners: number;
  readonly sessions: number;
  readonly codes: number;
  readonly tokenPairs: number;
  readonly projects: number;
  readonly users: number;
}

/** Moves the emulator from outside the protocol: in-process, and behind the control port. */
export interface Control {
  readonly clock: {
    /** Seconds since the epoch. */
    now(): number;
    /** Moves the clock forward by seconds; returns the new time. */
    advance(seconds: number): number;
  };
  readonly defects: {
    /** Ids of the defects that are on. */
    active(): readonly string[];
    /** Ids of the defects that can be switched on. */
    known(): readonly string[];
    /** Switches exactly these on, with a fresh memory each; throws a RangeError for an id that is not known. */
    switch(ids: readonly string[]): void;
  };
  readonly faults: {
    arm(fault: Fault): void;
    armed(): readonly Fault[];
    clear(): void;
  };
  readonly journal: {
    entries(): readonly JournalEntry[];
    clear(): void;
  };
  /** Forgets that an owner (by email), or anybody, has given consent. Tokens stay alive. */
  forgetConsent(email?: string): void;
  /** Assigns exactly the users whom the seed assigns. */
  restoreAssignments(): void;
  stats(): Stats;
  /**
   * As it was started: the seed, no sessions, codes or tokens, the clock unmoved, the defects that it was started with, no faults,
   * an empty journal.
   */
  reset(): void;
  /** Replaces the seed, and resets. */
  seed(seed: Seed): void;
}

/** Makes the control of a service. `known` holds every defect that can be switched on. */
export function createControl(
  service: Service,
  known: readonly Defect[],
  faults: Faults,
  journal: Journal,
): Control {
  const atStart = service.defects;
  const byId = new Map(known.map((defect) => [defect.id, defect]));

  function switchDefects(ids: readonly string[]): void {
    const chosen = ids.map((id) => {
      const defect = byId.get(id);
      if (defect !== undefined) return defect;
      throw new RangeError(
        `Defects: expected ids among ${[...byId.keys()].join(', ') || 'none'}, got ${JSON.stringify(id)}.`,
      );
    });
    service.policy = applyDefects(policyFromProfile(service.profile), chosen);
    service.defects = ids;
  }

  function reset(): void {
    service.store = createMemoryStore();
    plant(service.seed, service.store);
    service.clock.reset();
    switchDefects(atStart);
    faults.clear();
    journal.clear();
  }

  return {
    clock: { now: service.clock.now, advance: service.clock.advance },
    defects: {
      active: () => service.defects,
      known: () => [...byId.keys()],
      switch: switchDefects,
    },
    faults,
    journal,
    forgetConsent(email) {
      if (email === undefined) return service.store.grants.forget();
      const owner = service.seed.owners.find((candidate) => candidate.email === email);
      if (owner === undefined) throw new RangeError(`Consent: no owner has the email ${email}.`);
      service.store.grants.forget(owner.id);
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
      service.seed = resolveSeed(seed, service.profile.answers['id-forms'], service.randomness);
      reset();
    },
  };
}

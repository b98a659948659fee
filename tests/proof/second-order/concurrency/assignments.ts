import type { Defect } from '../../../../src/emulator/defect.ts';
import { placeOf } from '../../../../src/emulator/defects/4-4-assigned-users/place.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import type { AssignmentsPolicy, ResourceOperation } from '../../../../src/emulator/policy.ts';
import { usersOf } from '../tools/assigned.ts';
import { type Flight, InFlight, met } from '../tools/in-flight.ts';

/** An operation in flight; `user` is empty for a list. */
interface Call {
  readonly operation: ResourceOperation;
  readonly project: string;
  readonly user: string;
}

/** A flight that an operation is through with, and whether another in it was so. */
interface Flown {
  readonly flight: Flight<Call>;
  met(is: (other: Call, flight: Flight<Call>) => boolean): boolean;
}

type Fly = (
  operation: ResourceOperation,
  project: { readonly id: string },
  user?: { readonly id: string },
) => Promise<Flown>;

/** A defect of operations in flight at once: what is put in place of one flies before it does anything. */
function flying(
  id: string,
  make: (assignments: AssignmentsPolicy, fly: Fly) => Partial<AssignmentsPolicy>,
): Defect {
  return defect(id, ({ assignments }) => {
    const flights = new InFlight<Call>();
    return {
      assignments: make(assignments, async (operation, project, user) => {
        const flight = await flights.fly({ operation, project: project.id, user: user?.id ?? '' });
        return { flight, met: (is) => met(flight, is) };
      }),
    };
  });
}

/** Seconds for which a list that met a write is remembered. */
const REMEMBERED_SECONDS = 10;

/** Faults of operations in flight at once. */
export const assignments: readonly Defect[] = [
  flying('assign-at-once-in-project-lost', (policy, fly) => ({
    async assign(all, project, user, now) {
      const before = new Set(all.of(project.id));
      const { flight } = await fly('assign', project, user);
      for (const { what, over } of flight.met) {
        const overwritten = over && what.operation === 'assign' && what.project === project.id;
        if (overwritten && !before.has(what.user)) all.remove(project.id, what.user);
      }
      return policy.assign(all, project, user, now);
    },
  })),

  flying('list-at-once-answers-crossed', (policy, fly) => ({
    async list(all, project, now) {
      const { flight } = await fly('list', project);
      const other = [...flight.met].find(({ what }) => what.project !== project.id);
      return other === undefined ? policy.list(all, project, now) : usersOf(all, { id: other.what.project });
    },
  })),

  flying('unassign-at-once-with-assign-lost', (policy, fly) => ({
    async assign(all, project, user, now) {
      await fly('assign', project, user);
      return policy.assign(all, project, user, now);
    },
    async unassign(all, project, user, now) {
      const flown = await fly('unassign', project, user);
      const lost = flown.met(
        (other) => other.operation === 'assign' && other.project === project.id && other.user !== user.id,
      );
      return lost ? 'unassigned' : policy.unassign(all, project, user, now);
    },
  })),

  flying('list-at-once-with-write-remembered', (policy, fly) => {
    const kept = new Map<string, { readonly users: readonly string[]; readonly until: number }>();
    return {
      async assign(all, project, user, now) {
        await fly('assign', project, user);
        return policy.assign(all, project, user, now);
      },
      async unassign(all, project, user, now) {
        await fly('unassign', project, user);
        return policy.unassign(all, project, user, now);
      },
      async list(all, project, now) {
        const old = kept.get(project.id);
        if (old !== undefined && now < old.until) return old.users;
        const users = usersOf(all, project);
        const flown = await fly('list', project);
        if (!flown.met((other) => other.operation !== 'list' && other.project === project.id)) {
          return policy.list(all, project, now);
        }
        kept.set(project.id, { users, until: now + REMEMBERED_SECONDS });
        return users;
      },
    };
  }),

  flying('unassign-at-once-twice-leaves-user', (policy, fly) => ({
    async unassign(all, project, user, now) {
      const flown = await fly('unassign', project, user);
      const again = flown.met(
        (other, { over }) => over && other.project === project.id && other.user === user.id,
      );
      if (!again) return policy.unassign(all, project, user, now);
      all.add(project.id, user.id);
      return 'unassigned';
    },
  })),

  flying('assign-at-once-third-lost', (policy, fly) => ({
    async assign(all, project, user, now) {
      const { flight } = await fly('assign', project, user);
      return flight.ahead >= 2 ? 'assigned' : policy.assign(all, project, user, now);
    },
  })),

  flying('assign-at-once-to-two-projects-stored-in-one', (policy, fly) => ({
    async assign(all, project, user, now) {
      const flown = await fly('assign', project, user);
      const stored = flown.met(
        (other, { over }) => over && other.user === user.id && other.project !== project.id,
      );
      return stored ? 'assigned' : policy.assign(all, project, user, now);
    },
  })),

  flying('list-fourth-at-once-without-last', (policy, fly) => ({
    async list(all, project, now) {
      const { flight } = await fly('list', project);
      const users = await policy.list(all, project, now);
      return flight.ahead >= 3 ? users.slice(0, -1) : users;
    },
  })),

  flying('unassign-at-once-of-two-users-lost', (policy, fly) => ({
    async unassign(all, project, user, now) {
      const flown = await fly('unassign', project, user);
      const lost = flown.met(
        (other, { over }) => over && other.project === project.id && other.user !== user.id,
      );
      return lost ? 'unassigned' : policy.unassign(all, project, user, now);
    },
  })),

  flying('assign-at-once-with-list-rolled-back', (policy, fly) => ({
    async assign(all, project, user, now) {
      const flown = await fly('assign', project, user);
      const rolledBack = flown.met((other) => other.operation === 'list' && other.project === project.id);
      return rolledBack ? 'assigned' : policy.assign(all, project, user, now);
    },
    async list(all, project, now) {
      await fly('list', project);
      return policy.list(all, project, now);
    },
  })),

  flying('unassign-after-assigns-at-once-leaves-a-row', (policy, fly) => {
    const double = new Set<string>();
    return {
      async assign(all, project, user, now) {
        const place = placeOf(project, user);
        const flown = await fly('assign', project, user);
        if (flown.met((other) => other.project === project.id && other.user === user.id)) double.add(place);
        return policy.assign(all, project, user, now);
      },
      unassign: (all, project, user, now) =>
        double.delete(placeOf(project, user)) ? 'unassigned' : policy.unassign(all, project, user, now),
    };
  }),
];

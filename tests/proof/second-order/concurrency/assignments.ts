import { assignmentKey } from '../../../../src/emulator/defects/at-resource-api.ts';
import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { AssignmentsPolicy, ResourceOperation } from '../../../../src/emulator/policy/policy.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { type Flight, InFlight, met } from '../tools/in-flight.ts';
import { usersOf } from '../tools/noted.ts';

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
function flying(make: (assignments: AssignmentsPolicy, fly: Fly) => Partial<AssignmentsPolicy>): Changes {
  return ({ assignments }) => {
    const flights = new InFlight<Call>();
    return {
      assignments: make(assignments, async (operation, project, user) => {
        const flight = await flights.fly({ operation, project: project.id, user: user?.id ?? '' });
        return { flight, met: (is) => met(flight, is) };
      }),
    };
  };
}

/** Seconds for which a list that met a write is remembered. */
const REMEMBERED_SECONDS = 10;

/** Faults of operations in flight at once. */
export const assignments: SecondOrderDefects = {
  'assign-at-once-in-project-lost': {
    summary: 'Of two assigns to the same project in flight at once, the first is acknowledged and lost.',
    breaks: ['assign.leaves-others'],
    changes: flying((policy, fly) => ({
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
  },

  'list-at-once-answers-crossed': {
    summary: 'Of two lists of different projects in flight at once, each gets the answer of the other.',
    breaks: ['list.project-scoped'],
    changes: flying((policy, fly) => ({
      async list(all, project, now) {
        const { flight } = await fly('list', project);
        const other = [...flight.met].find(({ what }) => what.project !== project.id);
        return other === undefined
          ? policy.list(all, project, now)
          : usersOf(all, { id: other.what.project });
      },
    })),
  },

  'list-at-once-beyond-four-empty': {
    summary: 'A list that finds four other lists in flight is answered without users.',
    breaks: ['list.returns-assigned'],
    changes: flying((policy, fly) => ({
      async list(all, project, now) {
        const { flight } = await fly('list', project);
        return flight.ahead >= 4 ? [] : policy.list(all, project, now);
      },
    })),
  },

  'unassign-at-once-with-assign-lost': {
    summary:
      'An unassign that is in flight with an assign of another user of the project is acknowledged and not done.',
    breaks: ['unassign.removes-user'],
    changes: flying((policy, fly) => ({
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
  },

  'list-at-once-with-write-remembered': {
    summary:
      'A list that is in flight with a write of its project is served to all for 10 s as it was before the write.',
    breaks: ['list.fresh'],
    changes: flying((policy, fly) => {
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
  },

  'unassign-at-once-twice-leaves-user': {
    summary: 'Two unassigns of the same user in flight at once leave the user assigned.',
    breaks: ['unassign.removes-user'],
    changes: flying((policy, fly) => ({
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
  },

  'assign-at-once-third-lost': {
    summary:
      'Of three or more assigns in flight at once, the third and later are acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: flying((policy, fly) => ({
      async assign(all, project, user, now) {
        const { flight } = await fly('assign', project, user);
        return flight.ahead >= 2 ? 'assigned' : policy.assign(all, project, user, now);
      },
    })),
  },

  'assign-at-once-to-two-projects-stored-in-one': {
    summary:
      'Two assigns of the same user to different projects in flight at once are stored in one of them.',
    breaks: ['assign.adds-user'],
    changes: flying((policy, fly) => ({
      async assign(all, project, user, now) {
        const flown = await fly('assign', project, user);
        const stored = flown.met(
          (other, { over }) => over && other.user === user.id && other.project !== project.id,
        );
        return stored ? 'assigned' : policy.assign(all, project, user, now);
      },
    })),
  },

  'list-fourth-at-once-without-last': {
    summary: 'Of four or more lists in flight at once, the fourth and later leave out their last user.',
    breaks: ['list.returns-assigned'],
    changes: flying((policy, fly) => ({
      async list(all, project, now) {
        const { flight } = await fly('list', project);
        const users = await policy.list(all, project, now);
        return flight.ahead >= 3 ? users.slice(0, -1) : users;
      },
    })),
  },

  'unassign-at-once-of-two-users-lost': {
    summary:
      'Of two unassigns of different users of a project in flight at once, the second is acknowledged and not done.',
    breaks: ['unassign.removes-user'],
    changes: flying((policy, fly) => ({
      async unassign(all, project, user, now) {
        const flown = await fly('unassign', project, user);
        const lost = flown.met(
          (other, { over }) => over && other.project === project.id && other.user !== user.id,
        );
        return lost ? 'unassigned' : policy.unassign(all, project, user, now);
      },
    })),
  },

  'assign-at-once-with-list-rolled-back': {
    summary: 'An assign that is in flight with a list of its project is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: flying((policy, fly) => ({
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
  },

  'unassign-after-assigns-at-once-leaves-a-row': {
    summary:
      'After two assigns of the same user to a project in flight at once, one unassign leaves the user listed.',
    breaks: ['unassign.removes-user'],
    changes: flying((policy, fly) => {
      const double = new Set<string>();
      return {
        async assign(all, project, user, now) {
          const place = assignmentKey(project, user);
          const flown = await fly('assign', project, user);
          if (flown.met((other) => other.project === project.id && other.user === user.id)) double.add(place);
          return policy.assign(all, project, user, now);
        },
        unassign: (all, project, user, now) =>
          double.delete(assignmentKey(project, user))
            ? 'unassigned'
            : policy.unassign(all, project, user, now),
      };
    }),
  },
};

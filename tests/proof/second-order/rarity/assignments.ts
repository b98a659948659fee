import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { AssignmentsPolicy } from '../../../../src/emulator/policy/policy.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { everyNth } from '../tools/every-nth.ts';
import { beforeWrites, usersOf } from '../tools/noted.ts';

/** An operation of which every n-th is done otherwise. */
function everyNthTime<O extends 'assign' | 'unassign' | 'list'>(
  operation: O,
  n: number,
  otherwise: (assignments: AssignmentsPolicy) => AssignmentsPolicy[O],
): Changes {
  return ({ assignments }) => {
    const now = everyNth(n);
    const usual = assignments[operation] as (...given: unknown[]) => unknown;
    const other = otherwise(assignments) as (...given: unknown[]) => unknown;
    const changed = (...given: unknown[]) => (now() ? other(...given) : usual(...given));
    return { assignments: { [operation]: changed } as Partial<AssignmentsPolicy> };
  };
}

/** Faults of the three operations that show in one of many requests. */
export const assignments: SecondOrderDefects = {
  'assign-every-twentieth-lost': {
    summary: 'Every 20th assign is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: everyNthTime('assign', 20, () => () => 'assigned'),
  },

  'unassign-every-twelfth-lost': {
    summary: 'Every 12th unassign is acknowledged and not done.',
    breaks: ['unassign.removes-user'],
    changes: everyNthTime('unassign', 12, () => () => 'unassigned'),
  },

  'list-every-fifteenth-without-last': {
    summary: 'Every 15th list leaves out its last user.',
    breaks: ['list.returns-assigned'],
    changes: everyNthTime('list', 15, () => (all, project) => usersOf(all, project).slice(0, -1)),
  },

  'list-every-thirtieth-of-another-project': {
    summary: 'Every 30th list is that of another project.',
    breaks: ['list.project-scoped'],
    changes: everyNthTime('list', 30, () => (all, project) => {
      const other = [...all.projects()].find((id) => id !== project.id);
      return usersOf(all, { id: other ?? project.id });
    }),
  },

  'unassign-every-sixteenth-of-another-user': {
    summary: 'Every 16th unassign removes another user of the project.',
    breaks: ['unassign.removes-user', 'unassign.leaves-others'],
    changes: everyNthTime('unassign', 16, (base) => (all, project, user, now) => {
      const other = usersOf(all, project).find((id) => id !== user.id);
      if (other === undefined) return base.unassign(all, project, user, now);
      all.remove(project.id, other);
      return 'unassigned';
    }),
  },

  'assign-every-twenty-fourth-toggles': {
    summary: 'Every 24th assign removes the user when they are assigned already.',
    breaks: ['assign.idempotent'],
    changes: everyNthTime(
      'assign',
      24,
      (base) => (all, project, user, now) =>
        all.remove(project.id, user.id) ? 'assigned' : base.assign(all, project, user, now),
    ),
  },

  'list-every-thirteenth-repeats-one-for-another': {
    summary: 'Every 13th list names its first user twice and leaves out the second.',
    breaks: ['list.returns-assigned'],
    changes: everyNthTime('list', 13, () => (all, project) => {
      const users = usersOf(all, project);
      const [first, , ...rest] = users;
      return first === undefined || users.length < 2 ? users : [first, first, ...rest];
    }),
  },

  'assign-every-ninth-to-project-of-the-one-before': {
    summary: 'Every 9th assign is stored in the project of the assign before it.',
    breaks: ['assign.adds-user', 'assign.project-scoped'],
    changes: (policy) => {
      const now = everyNth(9);
      let before: string | undefined;
      return {
        assignments: {
          assign(all, project, user, time) {
            const id = (now() ? before : undefined) ?? project.id;
            before = project.id;
            return policy.assignments.assign(all, { ...project, id }, user, time);
          },
        },
      };
    },
  },

  'list-every-eighteenth-shows-unassigned': {
    summary: 'Every 18th list shows the user who was unassigned last, too.',
    breaks: ['list.returns-assigned'],
    changes: (policy) => {
      const now = everyNth(18);
      const gone = new Map<string, string>();
      return {
        assignments: {
          unassign(all, project, user, time) {
            if (all.has(project.id, user.id)) gone.set(project.id, user.id);
            return policy.assignments.unassign(all, project, user, time);
          },
          list(all, project) {
            const users = usersOf(all, project);
            const back = now() ? gone.get(project.id) : undefined;
            return back === undefined ? users : [...new Set([...users, back])];
          },
        },
      };
    },
  },

  'list-every-tenth-a-write-behind': {
    summary: 'Every 10th list is as it was before the latest write of the project.',
    breaks: ['list.fresh'],
    changes: (policy) => {
      const now = everyNth(10);
      const before = new Map<string, readonly string[]>();
      return {
        assignments: {
          ...beforeWrites(policy.assignments, (project, all) =>
            before.set(project.id, usersOf(all, project)),
          ),
          list: (all, project, time) =>
            (now() ? before.get(project.id) : undefined) ?? policy.assignments.list(all, project, time),
        },
      };
    },
  },
};

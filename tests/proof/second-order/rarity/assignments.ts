import type { Defect } from '../../../../src/emulator/defect.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import type { AssignmentsPolicy } from '../../../../src/emulator/policy.ts';
import { usersOf } from '../tools/assigned.ts';
import { everyNth } from '../tools/every-nth.ts';

/** An operation of which every n-th is done otherwise. */
function everyNthTime<O extends 'assign' | 'unassign' | 'list'>(
  id: string,
  operation: O,
  n: number,
  otherwise: (assignments: AssignmentsPolicy) => AssignmentsPolicy[O],
): Defect {
  return defect(id, ({ assignments }) => {
    const now = everyNth(n);
    const usual = assignments[operation] as (...given: unknown[]) => unknown;
    const other = otherwise(assignments) as (...given: unknown[]) => unknown;
    const changed = (...given: unknown[]) => (now() ? other(...given) : usual(...given));
    return { assignments: { [operation]: changed } as Partial<AssignmentsPolicy> };
  });
}

/** Faults of the three operations that show in one of many requests. */
export const assignments: readonly Defect[] = [
  everyNthTime('assign-every-twentieth-lost', 'assign', 20, () => () => 'assigned'),

  everyNthTime('unassign-every-twelfth-lost', 'unassign', 12, () => () => 'unassigned'),

  everyNthTime(
    'list-every-fifteenth-without-last',
    'list',
    15,
    () => (all, project) => usersOf(all, project).slice(0, -1),
  ),

  everyNthTime('list-every-thirtieth-of-another-project', 'list', 30, () => (all, project) => {
    const other = [...all.projects()].find((id) => id !== project.id);
    return usersOf(all, { id: other ?? project.id });
  }),

  everyNthTime(
    'unassign-every-sixteenth-of-another-user',
    'unassign',
    16,
    (base) => (all, project, user, now) => {
      const other = usersOf(all, project).find((id) => id !== user.id);
      if (other === undefined) return base.unassign(all, project, user, now);
      all.remove(project.id, other);
      return 'unassigned';
    },
  ),

  everyNthTime(
    'assign-every-twenty-fourth-toggles',
    'assign',
    24,
    (base) => (all, project, user, now) =>
      all.remove(project.id, user.id) ? 'assigned' : base.assign(all, project, user, now),
  ),

  everyNthTime('list-every-thirteenth-repeats-one-for-another', 'list', 13, () => (all, project) => {
    const users = usersOf(all, project);
    const [first, , ...rest] = users;
    return first === undefined || users.length < 2 ? users : [first, first, ...rest];
  }),

  defect('assign-every-ninth-to-project-of-the-one-before', (policy) => {
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
  }),

  defect('list-every-eighteenth-shows-unassigned', (policy) => {
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
  }),

  defect('list-every-tenth-a-write-behind', (policy) => {
    const now = everyNth(10);
    const before = new Map<string, readonly string[]>();
    return {
      assignments: {
        assign(all, project, user, time) {
          before.set(project.id, usersOf(all, project));
          return policy.assignments.assign(all, project, user, time);
        },
        unassign(all, project, user, time) {
          before.set(project.id, usersOf(all, project));
          return policy.assignments.unassign(all, project, user, time);
        },
        list: (all, project, time) =>
          (now() ? before.get(project.id) : undefined) ?? policy.assignments.list(all, project, time),
      },
    };
  }),
];

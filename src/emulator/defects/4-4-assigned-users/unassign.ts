import type { Defect } from '../../defect.ts';
import { defect } from '../define-defect.ts';
import { placeOf } from './place.ts';

/** Faults of unassign. */
export const unassign: readonly Defect[] = [
  defect('unassign-not-stored', () => ({ assignments: { unassign: () => 'unassigned' } })),

  defect('unassign-takes-two-requests', ({ assignments }) => {
    const asked = new Set<string>();
    return {
      assignments: {
        assign(all, project, user, now) {
          asked.delete(placeOf(project, user));
          return assignments.assign(all, project, user, now);
        },
        unassign(all, project, user, now) {
          const place = placeOf(project, user);
          if (asked.has(place)) return assignments.unassign(all, project, user, now);
          asked.add(place);
          return 'unassigned';
        },
      },
    };
  }),

  defect('unassign-removes-last-assigned', () => ({
    assignments: {
      unassign(all, project) {
        const last = [...all.of(project.id)].at(-1);
        return last !== undefined && all.remove(project.id, last) ? 'unassigned' : 'not-assigned';
      },
    },
  })),

  defect('unassign-clears-project', ({ assignments }) => ({
    assignments: {
      unassign(all, project, user, now) {
        const outcome = assignments.unassign(all, project, user, now);
        for (const other of [...all.of(project.id)]) all.remove(project.id, other);
        return outcome;
      },
    },
  })),

  defect('unassign-takes-the-next-along', ({ assignments }) => ({
    assignments: {
      unassign(all, project, user, now) {
        const users = [...all.of(project.id)];
        const at = users.indexOf(user.id);
        const next = at < 0 ? undefined : users[at + 1];
        if (next !== undefined) all.remove(project.id, next);
        return assignments.unassign(all, project, user, now);
      },
    },
  })),

  defect('unassign-from-every-project', ({ assignments }) => ({
    assignments: {
      unassign(all, project, user, now) {
        for (const other of [...all.projects()]) if (other !== project.id) all.remove(other, user.id);
        return assignments.unassign(all, project, user, now);
      },
    },
  })),

  defect('unassign-from-the-latest-project', ({ assignments }) => {
    const latest = new Map<string, string>();
    return {
      assignments: {
        assign(all, project, user, now) {
          latest.set(user.id, project.id);
          return assignments.assign(all, project, user, now);
        },
        unassign(all, project, user, now) {
          const id = latest.get(user.id);
          const from = id !== undefined && all.has(id, user.id) ? { ...project, id } : project;
          return assignments.unassign(all, from, user, now);
        },
      },
    };
  }),

  defect('unassign-of-nobody-removes-the-last', ({ assignments }) => ({
    assignments: {
      unassign(all, project, user, now) {
        const last = [...all.of(project.id)].at(-1);
        if (!all.has(project.id, user.id) && last !== undefined) all.remove(project.id, last);
        return assignments.unassign(all, project, user, now);
      },
    },
  })),
];

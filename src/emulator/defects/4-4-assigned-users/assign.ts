import type { Defect } from '../../defect.ts';
import { defect } from '../define-defect.ts';
import { placeOf } from './place.ts';

/** Users whom a project holds at most. */
const SEATS = 4;

/** Faults of assign. */
export const assign: readonly Defect[] = [
  defect('assign-not-stored', () => ({ assignments: { assign: () => 'assigned' } })),

  defect('assign-not-stored-after-unassign', ({ assignments }) => {
    const removed = new Set<string>();
    return {
      assignments: {
        assign: (all, project, user, now) =>
          removed.has(placeOf(project, user)) ? 'assigned' : assignments.assign(all, project, user, now),
        unassign(all, project, user, now) {
          removed.add(placeOf(project, user));
          return assignments.unassign(all, project, user, now);
        },
      },
    };
  }),

  defect('assign-replaces', ({ assignments }) => ({
    assignments: {
      assign(all, project, user, now) {
        for (const other of [...all.of(project.id)]) if (other !== user.id) all.remove(project.id, other);
        return assignments.assign(all, project, user, now);
      },
    },
  })),

  defect('assign-puts-out-the-oldest', ({ assignments }) => ({
    assignments: {
      async assign(all, project, user, now) {
        const outcome = await assignments.assign(all, project, user, now);
        const [oldest, ...others] = all.of(project.id);
        if (oldest !== undefined && others.length >= SEATS) all.remove(project.id, oldest);
        return outcome;
      },
    },
  })),

  defect('assign-to-every-project', ({ assignments }) => ({
    assignments: {
      async assign(all, project, user, now) {
        const outcome = await assignments.assign(all, project, user, now);
        for (const other of [...all.projects()]) all.add(other, user.id);
        return outcome;
      },
    },
  })),

  defect('assign-takes-from-other-projects', ({ assignments }) => ({
    assignments: {
      assign(all, project, user, now) {
        for (const other of [...all.projects()]) if (other !== project.id) all.remove(other, user.id);
        return assignments.assign(all, project, user, now);
      },
    },
  })),

  defect('assign-duplicates', ({ assignments }) => {
    const repeated = new Set<string>();
    return {
      assignments: {
        async assign(all, project, user, now) {
          const outcome = await assignments.assign(all, project, user, now);
          if (outcome === 'assigned') repeated.delete(placeOf(project, user));
          else repeated.add(placeOf(project, user));
          return outcome;
        },
        async list(all, project, now) {
          const ids = await assignments.list(all, project, now);
          return ids.flatMap((id) => (repeated.has(placeOf(project, { id })) ? [id, id] : [id]));
        },
      },
    };
  }),

  defect('assign-again-unassigns', ({ assignments }) => ({
    assignments: {
      async assign(all, project, user, now) {
        const outcome = await assignments.assign(all, project, user, now);
        if (outcome === 'already-assigned') all.remove(project.id, user.id);
        return outcome;
      },
    },
  })),
];

import type { AssignmentsPolicy } from '../policy.ts';
import type { Assignments } from '../store.ts';

export function placeOf(project: { readonly id: string }, user: { readonly id: string }): string {
  return `${project.id} ${user.id}`;
}

export function everybodyIn(all: Assignments): readonly string[] {
  return [...new Set([...all.projects()].flatMap((project) => [...all.of(project)]))];
}

export function cachedList(list: AssignmentsPolicy['list'], seconds: number): AssignmentsPolicy['list'] {
  const cached = new Map<string, { readonly at: number; readonly ids: readonly string[] }>();
  return async (all, project, now) => {
    const kept = cached.get(project.id);
    if (kept !== undefined && now - kept.at < seconds) return kept.ids;
    const ids = [...(await list(all, project, now))];
    cached.set(project.id, { at: now, ids });
    return ids;
  };
}

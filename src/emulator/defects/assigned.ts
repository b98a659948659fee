import type { Assignments } from '../store.ts';

export function placeOf(project: { readonly id: string }, user: { readonly id: string }): string {
  return `${project.id} ${user.id}`;
}

export function everybodyIn(all: Assignments): readonly string[] {
  return [...new Set([...all.projects()].flatMap((project) => [...all.of(project)]))];
}

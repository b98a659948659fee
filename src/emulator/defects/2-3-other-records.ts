import type { Defect } from '../defect.ts';
import type { Lookup } from '../store.ts';
import { defect } from './define-defect.ts';

/** A defect that reads ids of projects and users in its own way before it looks them up. */
function readingIds(
  id: string,
  read: (id: string, records: Lookup<{ readonly id: string }>) => string,
): Defect {
  return defect(id, ({ assignments }) => ({
    assignments: {
      project: (projectId, store) => assignments.project(read(projectId, store.projects), store),
      user: (userId, store) => assignments.user(read(userId, store.users), store),
    },
  }));
}

/** The path decoded as a whole, its steps up taken. */
function normalised(path: string): string {
  const steps: string[] = [];
  for (const step of decoded(path).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Faults of clause 2.3: what projects and users are known by. */
export const defects: readonly Defect[] = [
  defect('resource-path-normalised', ({ assignments }) => ({
    assignments: { route: (method, path) => assignments.route(method, normalised(path)) },
  })),

  readingIds('resource-ids-read-as-numbers', (id) => String(Number.parseInt(id, 10))),
  readingIds('resource-ids-end-at-nul', (id) => id.split('\0')[0] ?? ''),
  readingIds('resource-ids-trimmed', (id) => id.trim()),
  readingIds('resource-ids-folded', (id) => id.normalize('NFKC')),
  readingIds('resource-ids-first-of-several', (id) => id.split(/[,;]/)[0] ?? ''),
  readingIds('resource-ids-as-patterns', (id, records) => {
    if (!/^[*%]+$/.test(id)) return id;
    const [first] = records.values();
    return first?.id ?? id;
  }),
];

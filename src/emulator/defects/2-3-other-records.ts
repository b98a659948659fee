import { type Changes, changing, type Defects } from './define-defect.ts';

export function readingIds(
  read: (id: string, records: ReadonlyMap<string, { readonly id: string }>) => string,
): Changes {
  return ({ assignments }) => ({
    assignments: {
      project: (projectId, store) => assignments.project(read(projectId, store.projects), store),
      user: (userId, store) => assignments.user(read(userId, store.users), store),
    },
  });
}

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

export const defects: Defects = {
  'resource-path-normalised': {
    summary:
      'The path is decoded as a whole and its steps up are taken, so that an id leads to another project.',
    breaks: ['resource.odd-ids-contained'],
    changes: changing('assignments.route', (base) => (method, path) => base(method, normalised(path))),
  },

  'resource-ids-read-as-numbers': {
    summary: 'Ids are read as numbers as far as they are digits, and what follows is forgotten.',
    breaks: ['resource.odd-ids-contained'],
    changes: readingIds((id) => String(Number.parseInt(id, 10))),
  },
};

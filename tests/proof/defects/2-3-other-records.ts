import { type Changes, changing, type Defects } from '../../../src/emulator/defects/define-defect.ts';

function readingIds(
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

const cutTo = (width: number) => (id: string) =>
  /^-?\d+$/.test(id) ? String(BigInt.asUintN(width, BigInt(id))) : id;

export const defects: Defects = {
  'resource-ids-cut-to-32-bits': {
    summary: 'Ids that are numbers are cut to 32 bits.',
    breaks: ['list.unknown-project-refused', 'resource.odd-ids-contained'],
    changes: readingIds(cutTo(32)),
  },
  'resource-ids-cut-to-53-bits': {
    summary: 'Ids that are numbers are cut to 53 bits.',
    breaks: ['list.unknown-project-refused', 'resource.odd-ids-contained'],
    changes: readingIds(cutTo(53)),
  },
  'resource-ids-end-at-nul': {
    summary: 'An id ends at its first NUL.',
    breaks: ['resource.odd-ids-contained'],
    changes: readingIds((id) => id.split('\0')[0] ?? ''),
  },
  'resource-ids-trimmed': {
    summary: 'Blanks around an id do not count.',
    breaks: ['resource.odd-ids-contained'],
    changes: readingIds((id) => id.trim()),
  },
  'resource-ids-folded': {
    summary: 'Characters of an id are folded into plain ones by Unicode normalisation.',
    breaks: ['resource.odd-ids-contained'],
    changes: readingIds((id) => id.normalize('NFKC')),
  },
  'resource-ids-first-of-several': {
    summary: 'Of several ids with a comma or a semicolon between them the first counts.',
    breaks: ['resource.odd-ids-contained'],
    changes: readingIds((id) => id.split(/[,;]/)[0] ?? ''),
  },
  'resource-ids-as-patterns': {
    summary: 'An id is looked up as a pattern, so that an asterisk or a percent sign finds the first record.',
    breaks: ['resource.odd-ids-contained'],
    changes: readingIds((id, records) => {
      if (!/^[*%]+$/.test(id)) return id;
      const [first] = records.values();
      return first?.id ?? id;
    }),
  },

  'resource-path-normalised': {
    summary:
      'The path is decoded as a whole and its steps up are taken, so that an id leads to another project.',
    severity: 'blunt',
    breaks: ['resource.odd-ids-contained'],
    changes: changing('assignments.route', (base) => (method, path) => base(method, normalised(path))),
  },

  'resource-ids-read-as-numbers': {
    summary: 'Ids are read as numbers as far as they are digits, and what follows is forgotten.',
    severity: 'blunt',
    breaks: ['resource.odd-ids-contained'],
    changes: readingIds((id) => String(Number.parseInt(id, 10))),
  },
};

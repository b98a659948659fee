import { readingIds } from '../../../src/emulator/defects/2-3-other-records.ts';
import type { Defects } from '../../../src/emulator/defects/define-defect.ts';

export const defects: Defects = {
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
};

import { servedUnder } from '../../../src/emulator/defects/9-versioning.ts';
import { METHOD } from '../../../src/emulator/defects/at-resource-api.ts';
import type { Defects } from '../../../src/emulator/defects/define-defect.ts';

export const defects: Defects = {
  'version-next-for-unassign': {
    summary: 'Unassign alone has moved to the next version.',
    breaks: ['version.prefix'],
    changes: servedUnder('/v3', METHOD.unassign),
  },
};

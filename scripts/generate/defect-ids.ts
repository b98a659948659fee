/** `generated/defect-ids.d.ts`: the emulator's defects as a union type, for programs that name them. */
import { DEFECT_FACTS } from '../../src/emulator/defects/index.ts';

export function generateDefectIds(): string {
  const ids = DEFECT_FACTS.map(({ id }) => `  | '${id}'`);
  return ['/** Defects of the emulator, in the order of the clauses. */', 'export type DefectId =', ...ids]
    .join('\n')
    .concat(';\n');
}

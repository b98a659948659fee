import type { Defect } from '../../../src/emulator/defect.ts';
import { assignments } from './rarity/assignments.ts';
import { authorizations } from './rarity/authorizations.ts';
import { tokens } from './rarity/tokens.ts';

/** Faults that show in one of five to one of forty requests. */
export const defects: readonly Defect[] = [...tokens, ...authorizations, ...assignments];

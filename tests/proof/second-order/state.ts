import type { Defect } from '../../../src/emulator/defect.ts';
import { assignments } from './state/assignments.ts';
import { codes } from './state/codes.ts';
import { tokens } from './state/tokens.ts';

/** Faults that show only in some states: after expiry, late in a chain of refreshes, after a refusal. */
export const defects: readonly Defect[] = [...tokens, ...codes, ...assignments];

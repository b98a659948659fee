import type { Defect } from '../../../src/emulator/defect.ts';
import { assignments } from './concurrency/assignments.ts';
import { tokens } from './concurrency/tokens.ts';

/** Faults that show only while two requests are in flight at once, or after that. */
export const defects: readonly Defect[] = [...tokens, ...assignments];

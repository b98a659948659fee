import type { Defect } from '../defect.ts';
import { codeValues } from './2-2-authorization-code/code-values.ts';
import { replays } from './2-2-authorization-code/replays.ts';

/** Faults of clause 2.2: the code, and how often it is good. */
export const defects: readonly Defect[] = [...replays, ...codeValues];

import type { Defect } from '../../../src/emulator/defect.ts';
import { assignments } from './order/assignments.ts';
import { parameters } from './order/parameters.ts';
import { tokens } from './order/tokens.ts';

/** Faults that depend on the order of requests or of their parameters, and on time. */
export const defects: readonly Defect[] = [...tokens, ...parameters, ...assignments];

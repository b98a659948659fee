import type { Defect } from '../defect.ts';
import { elsewhere } from './2-1-token-response/elsewhere.ts';
import { fields } from './2-1-token-response/fields.ts';
import { headers } from './2-1-token-response/headers.ts';
import { members } from './2-1-token-response/members.ts';
import { tokens } from './2-1-token-response/tokens.ts';

/** Faults of clause 2.1: the token response, and its rules. */
export const defects: readonly Defect[] = [...fields, ...tokens, ...headers, ...elsewhere, ...members];

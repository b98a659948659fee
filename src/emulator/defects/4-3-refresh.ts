import type { Defect } from '../defect.ts';
import { client } from './4-3-refresh/client.ts';
import { honoured } from './4-3-refresh/honoured.ts';
import { scope } from './4-3-refresh/scope.ts';
import { token } from './4-3-refresh/token.ts';

/** Faults of clause 4.3: the token request that refreshes. */
export const defects: readonly Defect[] = [...honoured, ...client, ...token, ...scope];

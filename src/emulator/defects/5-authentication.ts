import type { Defect } from '../defect.ts';
import { elsewhere } from './5-authentication/elsewhere.ts';
import { scopes } from './5-authentication/scopes.ts';
import { tokenChecked } from './5-authentication/token-checked.ts';
import { tokenRequired } from './5-authentication/token-required.ts';

/** Faults of clause 5: access tokens and scopes at the resource API. */
export const defects: readonly Defect[] = [...scopes, ...tokenRequired, ...tokenChecked, ...elsewhere];

import type { Defect } from '../defect.ts';
import { assign } from './4-4-assigned-users/assign.ts';
import { clients } from './4-4-assigned-users/clients.ts';
import { elsewhere } from './4-4-assigned-users/elsewhere.ts';
import { list } from './4-4-assigned-users/list.ts';
import { unassign } from './4-4-assigned-users/unassign.ts';

/** Faults of clause 4.4: the users assigned to a project. */
export const defects: readonly Defect[] = [...assign, ...unassign, ...list, ...elsewhere, ...clients];

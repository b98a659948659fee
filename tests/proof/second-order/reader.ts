import type { Defect } from '../../../src/emulator/defect.ts';
import { caches } from './reader/caches.ts';
import { views } from './reader/views.ts';

/** Faults that depend on who reads a list. */
export const defects: readonly Defect[] = [...caches, ...views];

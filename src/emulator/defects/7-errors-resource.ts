import type { Defect } from '../defect.ts';
import { answers } from './7-errors-resource/answers.ts';
import { unknownProjects } from './7-errors-resource/unknown-projects.ts';
import { unknownUsers } from './7-errors-resource/unknown-users.ts';

/** Faults of clause 7 at the resource API: failures that are none, and what they look like. */
export const defects: readonly Defect[] = [...unknownProjects, ...unknownUsers, ...answers];

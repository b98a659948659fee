import type { Defect } from '../defect.ts';
import { refuse } from '../refusal.ts';
import { METHOD } from './5-authentication/anybody.ts';
import { defect } from './define-defect.ts';

/** A defect that serves paths elsewhere than under `/v2`, those of one method or all; `prefix` stands in its place. */
function servedUnder(id: string, prefix: string, only?: string): Defect {
  return defect(id, ({ assignments }) => ({
    assignments: {
      route(method, path) {
        if (only !== undefined && method !== only) return assignments.route(method, path);
        if (path.startsWith('/v2/') || !path.startsWith(`${prefix}/`))
          return refuse('path-unknown', `${path} has moved`);
        return assignments.route(method, `/v2${path.slice(prefix.length)}`);
      },
    },
  }));
}

/** Faults of clause 9: the version prefix. */
export const defects: readonly Defect[] = [
  servedUnder('version-prefix-dropped', ''),
  servedUnder('version-next-only', '/v3'),
  servedUnder('version-next-for-unassign', '/v3', METHOD.unassign),
];

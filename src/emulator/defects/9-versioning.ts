import { refuse } from '../refusal.ts';
import { type Changes, changing, type Defects } from './define-defect.ts';

export function servedUnder(prefix: string, only?: string): Changes {
  return changing('assignments.route', (base) => (method, path) => {
    if (only !== undefined && method !== only) return base(method, path);
    if (path.startsWith('/v2/') || !path.startsWith(`${prefix}/`))
      return refuse('path-unknown', `${path} has moved`);
    return base(method, `/v2${path.slice(prefix.length)}`);
  });
}

export const defects: Defects = {
  'version-prefix-dropped': {
    summary: 'The operations answer without a version in the path, and under `/v2` no more.',
    breaks: ['version.prefix'],
    changes: servedUnder(''),
  },
  'version-next-only': {
    summary: 'The operations answer under the next version alone.',
    breaks: ['version.prefix'],
    changes: servedUnder('/v3'),
  },
};

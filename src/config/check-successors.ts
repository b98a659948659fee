import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { ConfigurationProblem } from './configuration-error.ts';
import type { Resolved } from './resolve-references.ts';

/** Refuses missing successor files now: at the retirement it would be too late. */
export function checkSuccessors(
  { retired }: Resolved<ConfigurationFile>,
  file: string,
): readonly ConfigurationProblem[] {
  return (['shim', 'profile'] as const).flatMap((key) => {
    const named = retired?.[key];
    if (named === undefined || existsSync(resolve(dirname(file), named))) return [];
    return [
      {
        path: ['retired', key],
        expected: 'an existing file, relative to the configuration',
        came: 'a path without a file',
      },
    ];
  });
}

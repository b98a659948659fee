import { readFileSync } from 'node:fs';
import type { SeenRun } from '../../contracts/provider-version.ts';
import { parseJson } from '../../input/parse-json.ts';
import { UsageError } from '../../input/usage-error.ts';
import type { Results } from '../../report/results.ts';

/** The branch that provider versions of an environment are on, where it is not given: pending and work in progress are counted by it. */
export function observedBranch(environment: string | undefined): string {
  return environment === undefined ? 'observed' : `observed-${environment}`;
}

/**
 * A `results.json`, as far as it says which version of the provider was seen.
 *
 * @throws UsageError where there is none to be had
 */
export function readSeenRun(file: string): SeenRun & Pick<Results, 'target'> {
  let run: Partial<SeenRun & Pick<Results, 'target'>> | null;
  try {
    run = parseJson(readFileSync(file, 'utf8')) as typeof run;
  } catch (error) {
    throw new UsageError(`--results: ${file} cannot be read as the results.json of \`check\``, {
      cause: error,
    });
  }
  if (!Array.isArray(run?.requirements) || !Array.isArray(run.observations) || typeof run.target !== 'object')
    throw new UsageError(`--results: ${file} is not the results.json of \`check\``);
  return run as SeenRun & Pick<Results, 'target'>;
}

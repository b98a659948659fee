import { readFileSync } from 'node:fs';
import type { SeenRun } from '../../contracts/provider-version.ts';
import { parseJson } from '../../input/plain-data.ts';
import { UsageError } from '../../input/usage-error.ts';
import type { Results } from '../../report/results.ts';

export function observedBranch(environment: string | undefined): string {
  return environment === undefined ? 'observed' : `observed-${environment}`;
}

export function readCheckResults(file: string): SeenRun & Pick<Results, 'target'> {
  let run: Partial<SeenRun & Pick<Results, 'target'>> | null;
  try {
    run = parseJson(readFileSync(file, 'utf8')) as typeof run;
  } catch (error) {
    throw new UsageError(`--results: ${file} cannot be read as the results.json of \`check\``, {
      cause: error,
    });
  }
  const { requirements, observations, target } = run ?? {};
  if (!Array.isArray(requirements) || !Array.isArray(observations) || typeof target !== 'object')
    throw new UsageError(`--results: ${file} is not the results.json of \`check\``);
  return run as SeenRun & Pick<Results, 'target'>;
}

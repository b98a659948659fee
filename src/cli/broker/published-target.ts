import { readFileSync } from 'node:fs';
import type { SeenRun } from '../../contracts/provider-version.ts';
import { parseJson } from '../../document/input/plain-data.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import type { Results, TargetSummary } from '../../report/results.ts';

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

/**
 * Identifies a live target by its addresses, because names may repeat, and an emulator by its profile, because its
 * addresses change in every run.
 */
export function targetText({ kind, name, authUrl, baseUrl }: TargetSummary): string {
  return kind === 'emulator' ? `the emulator (profile ${name})` : `${authUrl} and ${baseUrl}`;
}

/** Returns the first and last line of the output of verbs that write to a broker. */
export function targetLine(target: TargetSummary): string {
  const { kind, name } = target;
  return `target: ${kind === 'emulator' ? '' : `${name}, `}${targetText(target)}`;
}

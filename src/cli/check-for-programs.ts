import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { Results } from '../report/results.ts';
import { assembleResults } from '../report/verdict.ts';
import { checkedTarget } from './check.ts';
import type { CheckOptions } from './check-options.ts';

/** A target: the emulator, the path of a configuration file, or a configuration. */
export type TargetOption = 'emulator' | (string & {}) | ConfigurationFile;

/** The name of a configuration that no file holds, in messages. Relative paths and `.env` are those of the current folder. */
const NO_FILE = 'configuration';

/**
 * Checks a target: the emulator, or the live target of a configuration. Prints and writes nothing, changes neither the
 * environment nor the signals of its process, and never ends it.
 *
 * @param target `emulator`, the path of a configuration file, or a configuration
 * @returns the contents of `results.json`, redacted
 * @throws UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function check(target: TargetOption = 'emulator', options: CheckOptions = {}): Promise<Results> {
  const { run, secrets } =
    typeof target === 'string'
      ? await checkedTarget(target, options)
      : await checkedTarget(NO_FILE, { ...options, given: target });
  const results = assembleResults(run);
  const leaks = [...new Set(secrets.find(JSON.stringify(results)).map(({ label }) => label))];
  if (leaks.length === 0) return results;
  const message = `the results would have held ${leaks.join(', ')}; this is a bug of the suite`;
  const broken = assembleResults({ ...run, troubles: [...run.troubles, { kind: 'broken', message }] });
  return JSON.parse(secrets.redact(JSON.stringify(broken))) as Results;
}

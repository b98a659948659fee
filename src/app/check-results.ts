import type { Results } from '../report/results.ts';
import { assembleResults } from '../report/verdict.ts';
import { checkedTarget } from './check.ts';
import type { CheckOptions } from './check-options.ts';

/**
 * Checks a target: the emulator, or the live target of a configuration file. Prints and writes nothing, changes neither the
 * environment nor the signals of its process, and never ends it.
 *
 * @param target `emulator`, or the path of a configuration file
 * @returns the contents of `results.json`, redacted
 * @throws UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function check(target = 'emulator', options: CheckOptions = {}): Promise<Results> {
  const { run, secrets } = await checkedTarget(target, options);
  const results = assembleResults(run);
  const leaks = [...new Set(secrets.find(JSON.stringify(results)).map(({ label }) => label))];
  if (leaks.length === 0) return results;
  const message = `the results would have held ${leaks.join(', ')}; this is a bug of the suite`;
  const broken = assembleResults({ ...run, troubles: [...run.troubles, { kind: 'broken', message }] });
  return JSON.parse(secrets.redact(JSON.stringify(broken))) as Results;
}

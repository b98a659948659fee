import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import type { Results } from '../../report/results.ts';
import { assembleResults } from '../../report/verdict.ts';
import { whyWithheld } from '../shared/write-files.ts';
import type { CheckOptions } from './options.ts';
import { checkedTarget } from './run.ts';

/** A target: the emulator, the path of a configuration file, or a configuration. */
export type TargetOption = 'emulator' | (string & {}) | ConfigurationFile;

/** The name of a configuration that no file holds, in messages. Relative paths and `.env` are those of the current folder. */
const NO_FILE = 'configuration';

const KINDS: KindsOf<CheckOptions> = {
  explore: 'number',
  seed: 'number',
  replay: 'string',
  profile: 'string',
  defects: 'object',
  only: 'object',
  strict: 'boolean',
  waitExpiry: 'boolean',
  smoke: 'boolean',
  like: 'string',
  risks: 'object',
  workers: 'number',
  knownDeviations: 'string',
  env: 'object',
  signal: 'object',
  onSelected: 'function',
  onProgress: 'function',
  onResult: 'function',
  onWaiting: 'function',
};

/**
 * Checks a target: the emulator, or the live target of a configuration. Prints and writes nothing, changes neither the
 * environment nor the signals of its process, and never ends it.
 *
 * @param target `emulator`, the path of a configuration file, or a configuration
 * @returns the contents of `results.json`, redacted
 * @throws TypeError for an unknown option; UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function check(target: TargetOption = 'emulator', options: CheckOptions = {}): Promise<Results> {
  requireKinds('check', options, KINDS);
  const { run, secrets } =
    typeof target === 'string'
      ? await checkedTarget(target, options)
      : await checkedTarget(NO_FILE, { ...options, given: target });
  const results = assembleResults(run);
  const message = whyWithheld('the results', JSON.stringify(results), secrets);
  if (message === undefined) return results;
  const broken = assembleResults({ ...run, troubles: [...run.troubles, { kind: 'broken', message }] });
  return secrets.redactAll(broken);
}

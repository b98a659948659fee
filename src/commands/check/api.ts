import { requireKinds } from '../../document/input/require-kinds.ts';
import type { Results } from '../../report/results.ts';
import { assembleResults } from '../../report/verdict.ts';
import { withStartingBrowser } from '../shared/browser.ts';
import { namedTarget, type TargetOption } from '../shared/options.ts';
import { brokenResults } from '../shared/report-results.ts';
import { whyWithheld } from '../shared/write-files.ts';
import { CHECK_KINDS, type CheckOptions } from './options.ts';
import { resolveCheck } from './resolve.ts';
import { runResolved } from './run.ts';

/**
 * Checks a target: the emulator, or the live target of a configuration. Prints and writes nothing, changes neither the
 * environment nor the signals of its process, and never ends it.
 *
 * @param target `emulator`, the path of a configuration file, or a configuration
 * @returns the contents of `results.json`, redacted
 * @throws TypeError for an unknown option; UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function check(target: TargetOption = 'emulator', options: CheckOptions = {}): Promise<Results> {
  requireKinds('check', options, CHECK_KINDS);
  const { run, secrets } = await withStartingBrowser(
    target === 'emulator',
    async (browser) => {
      const resolved = await resolveCheck({ ...options, ...namedTarget(target) });
      const { selection, intended } = resolved;
      options.onSelected?.(selection.ids.length, intended.name, selection.ids);
      return runResolved(resolved, { ...options, browser });
    },
    options.env,
  );
  for (const result of run.requirements) options.onResult?.(result);
  const results = assembleResults(run);
  const message = whyWithheld('the results', JSON.stringify(results), secrets);
  if (message === undefined) return results;
  return secrets.redactAll(brokenResults(run, [message]));
}

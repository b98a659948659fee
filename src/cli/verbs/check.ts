import { untilInterrupted } from '../ending.ts';
import {
  between,
  collected,
  DEFECT,
  flag,
  JSON_RESULTS,
  ON_TARGET,
  optional,
  parsed,
  QUIET,
  reportOf,
  VERBOSE,
  wholeNumber,
} from '../options.ts';
import { EXIT_CODES, verb } from '../verb.ts';

const OPTIONS = {
  ...ON_TARGET,
  defect: DEFECT,
  only: collected('<what>', 'check only this requirement, group or clause (repeatable)'),
  strict: flag('let warnings fail the run'),
  waitExpiry: flag('wait 7200 seconds once, until tokens expire (live target without a clock)'),
  smoke: flag('send at most 20 requests, and check what they show (live target)'),
  like: optional(
    '<profile>',
    'where the document is silent, expect the answers of this profile (id or file)',
  ),
  risk: collected('<risks>', 'with --like: risks to take on a live target: refusals, revokes'),
  explore: parsed(
    '<n>',
    'explore with N random requests after the checks; 0 turns it off (default: 2500 on the emulator, 800 on a live target)',
    between(0, 1_000_000),
  ),
  seed: parsed(
    '<n>',
    'seed of the random sequences (default: random on the emulator, fixed for each version on a live target)',
    wholeNumber,
  ),
  report: reportOf('check'),
  knownDeviations: optional(
    '<file>',
    'accept the deviations in this file (default: known-deviations.yaml beside the configuration, if it exists)',
  ),
  proposeDeviations: optional('<file>', 'write every failure of this run to a new file of known deviations'),
  workers: parsed(
    '<n>',
    'number of emulators to check in parallel; a live target always has one',
    between(1, 64),
  ),
  quiet: QUIET,
  verbose: VERBOSE,
  json: JSON_RESULTS,
  history: optional('<file>', 'keep earlier results in this file, and run each failed check a second time'),
};

export const checkCommand = verb({
  name: 'check',
  summary: 'check a target and print the verdict',
  options: OPTIONS,
  help: `
Examples
  legacy-conformance check
  legacy-conformance check --profile adversarial --only 4.3
  legacy-conformance check staging.config.json --strict --report out/staging
  legacy-conformance check --json | jq .totals
  legacy-conformance check --target staging.config.json \\
    --history staging.history.json
${EXIT_CODES}`,
  run: async ({ defect: defects, risk: risks, ...options }) => {
    const { withStartingBrowser } = await import('../../commands/shared/browser.ts');
    return withStartingBrowser(options.target === 'emulator', async (browser) => {
      const { checkTarget } = await import('../../commands/check/verb.ts');
      return untilInterrupted((signal) => checkTarget({ ...options, defects, risks, signal }, browser));
    });
  },
});

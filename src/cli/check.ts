import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import {
  collected,
  DEFECT,
  flag,
  JSON_RESULTS,
  ON_TARGET,
  optional,
  QUIET,
  read,
  usually,
  VERBOSE,
} from './option-kinds.ts';
import { atMost, between, wholeNumber } from './options.ts';
import { EXIT_CODES, verb } from './verb.ts';

const OPTIONS = {
  ...ON_TARGET,
  defect: DEFECT,
  only: collected('<what>', 'check only this requirement, group or clause (repeatable)'),
  strict: flag('let warnings fail the run'),
  waitExpiry: flag(
    'wait 7200 seconds until tokens expire, once for all checks (live target without a clock)',
  ),
  smoke: flag('send at most 20 requests, and check what they show (live target)'),
  like: optional(
    '<profile>',
    'where the document is silent, expect the answers of this profile: an id or a file',
  ),
  risk: collected('<risks>', 'with --like: risks to take on a live target: refusals, revokes, slow'),
  probeReuse: flag('with --like: same as --risk revokes'),
  explore: read(
    '<n>',
    'explore with N random requests after the checks; 0 turns it off (default: 1000 on the emulator, 300 on a live target)',
    atMost(1_000_000),
  ),
  seed: read(
    '<n>',
    'seed of the random sequences (default: random on the emulator, fixed for each version on a live target)',
    wholeNumber,
  ),
  corpus: optional('<dir>', 'replay the sequences in this folder first, and add new findings'),
  report: usually('<dir>', 'write the report to this folder', 'report'),
  knownDeviations: optional(
    '<file>',
    'accept the deviations in this file (default: known-deviations.yaml beside the configuration, if it exists)',
  ),
  proposeDeviations: optional('<file>', 'write every failure of this run to a new file of known deviations'),
  workers: read(
    '<n>',
    'number of emulators to check in parallel; a live target always has one',
    between(1, 64),
  ),
  quiet: QUIET,
  verbose: VERBOSE,
  json: {
    ...JSON_RESULTS,
    conflictsWith: 'quiet',
  },
  history: optional(
    '<file>',
    'keep the results of earlier runs in this file, and run each failed check a second time',
  ),
  inconclusiveLimit: optional(
    '<n>',
    'with --history: exit 1 after N inconclusive nights in a row (3), or N days after the last conclusive run (3d)',
  ),
  installBrowser: { ...flag('install a browser where there is none'), hidden: true },
};

export function checkCommand(): Command {
  return verb({
    name: 'check',
    summary: 'check a target and print the verdict',
    options: OPTIONS,
    help: `
Examples
  legacy-conformance check
  legacy-conformance check --profile adversarial --only 4.3
  legacy-conformance check --target staging.config.json --strict --report out/staging
  legacy-conformance check --json | jq '.requirements[] | select(.result == "fail")'
  legacy-conformance check --target staging.config.json \\
    --history staging.history.json --inconclusive-limit 3
${EXIT_CODES}`,
    run: async (given) => {
      const { defect: defects, risk: risks, workers: lanes, ...options } = given;
      const { emulatorBrowser, endStarting } = await import('../app/emulator-browser.ts');
      const browser = options.target === 'emulator' ? emulatorBrowser(options.installBrowser) : undefined;
      browser?.catch(() => undefined);
      try {
        const { checkTarget } = await import('../app/check-target.ts');
        return await untilInterrupted((signal) =>
          checkTarget({ ...options, defects, risks, lanes, browser, signal }),
        );
      } finally {
        await endStarting(browser);
      }
    },
  });
}

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
  only: collected('<what>', 'a requirement, a group or a clause; may be given more than once'),
  strict: flag('count warnings as violations'),
  waitExpiry: flag(
    'on a live target without a clock: wait until tokens expire, 7200 seconds, once for all checks',
  ),
  smoke: flag('on a live target: only what one walk of at most 20 requests shows'),
  like: optional(
    '<profile>',
    'hold the target to the answers of a profile where the document is silent: an id or a file',
  ),
  risk: collected('<risks>', 'with --like: what may be done to a live target: refusals, revokes, slow'),
  probeReuse: flag(
    'with --like, on a live target: use old refresh tokens again, which may revoke grants (--risk revokes)',
  ),
  explore: read(
    '<n>',
    'requests of random sequences after the checks; 0 for none (default: 1000 on the emulator, 300 on a live target)',
    atMost(1_000_000),
  ),
  seed: read(
    '<n>',
    'number that the sequences follow from (default: another one each time on the emulator, one for each version on a live target)',
    wholeNumber,
  ),
  corpus: optional('<dir>', 'run all sequences of this folder first, and add what is found'),
  report: usually('<dir>', 'where the report is written', 'report'),
  knownDeviations: optional(
    '<file>',
    'deviations that are accepted (default: known-deviations.yaml beside the configuration, if there is one)',
  ),
  proposeDeviations: optional('<file>', 'write an entry for everything that violates to a new file'),
  workers: read(
    '<n>',
    'emulators that are checked side by side; a live target always has one',
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
    'what earlier runs came to: read before, written after; what fails is checked once more, alone',
  ),
  inconclusiveLimit: optional(
    '<n>',
    'with --history: an inconclusive run ends in 1 from this night without a conclusion on (3), or this many days after the last conclusive run (3d)',
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
  legacy-conformance check --profile adversarial --only 4.3 --only exchange.code-single-use
  legacy-conformance check --target staging.config.json --strict --report out/staging
  legacy-conformance check --json | jq -r '.requirements[] | select(.result == "fail") | .id'
  legacy-conformance check --target staging.config.json --history staging.history.json --inconclusive-limit 3
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

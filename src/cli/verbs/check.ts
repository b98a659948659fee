import { untilInterrupted } from './ending.ts';
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
} from './options.ts';
import { EXIT_CODES, type OptionOf, verb } from './verb.ts';

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

export const exploreCommand = verb({
  name: 'explore',
  summary: 'send random sequences of requests, and evaluate each exchange',
  options: {
    ...ON_TARGET,
    defect: DEFECT,
    requests: parsed(
      '<n>',
      'number of requests (default: 2500 on the emulator, with --beside 800 on a live target; else required there)',
      wholeNumber,
    ),
    seed: parsed('<n>', 'seed of the random sequences (default: random)', wholeNumber),
    beside: optional(
      '<file>',
      'play the same sequences on this target too, and report the differences: a configuration, or a profile of the emulator',
      { conflictsWith: 'replay' },
    ),
    replay: optional('<file>', 'replay only the sequence in this file'),
    strict: flag('let warnings fail the run'),
    risk: collected(
      '<risks>',
      'risks to take on a live target: revokes (replays, old tokens, wrong credentials)',
    ),
    report: reportOf('explore'),
    quiet: QUIET,
    json: JSON_RESULTS,
  },
  help: `
With --beside the exit code is 0 if nothing differs, 1 if something does, 3 if too little was compared.

Examples
  legacy-conformance explore --requests 5000 --seed 7
  legacy-conformance explore \\
    --replay report/explore/explored/1-assign.adds-user.json
  legacy-conformance explore --target staging.config.json --requests 300
  legacy-conformance explore --target staging.config.json \\
    --beside shim.config.json
  legacy-conformance explore --profile by-the-rfc --beside doorkeeper-5
${EXIT_CODES}`,
  run: async ({ defect: defects, risk: risks, requests: explore, beside, ...options }) => {
    if (beside !== undefined) {
      const { besideTarget } = await import('../../commands/explore/beside.ts');
      return untilInterrupted((signal) =>
        besideTarget({ ...options, beside, defects, risks, explore, signal }),
      );
    }
    const { exploreTarget } = await import('../../commands/explore/verb.ts');
    return untilInterrupted((signal) => exploreTarget({ ...options, defects, risks, explore, signal }));
  },
});

export const replayCommand = verb({
  name: 'replay',
  summary: 'print the requests of one requirement as curl commands, and rerun its check',
  args: [['<results>', 'a results.json, or the folder of a report']],
  options: {
    only: { value: '<id>', text: 'the requirement', required: true } as OptionOf<string>,
    target: optional('<file>', 'configuration of the live target whose results these are'),
    variables: optional('<file>', 'read variables from this file; the environment has precedence'),
    profile: optional('<file>', "file of the emulator's profile, if the results come from one"),
    print: flag('print the commands only, and run no check'),
    report: reportOf('replay', 'write the report of the check to this folder'),
  },
  help: `
The commands are for bash and zsh. Secrets are variables ($CLIENT_SECRET_1), because the report does not contain them.
The emulator starts with the profile and the defects that the results name.

Examples
  legacy-conformance replay report/check --only refresh.chain \\
    --target staging.config.json
  legacy-conformance replay report/check --print \\
    --only exchange.code-single-use
${EXIT_CODES}`,
  run: async ({ variables: _, ...options }, [results = '']) => {
    const { replayRequirement } = await import('../../commands/replay/verb.ts');
    return untilInterrupted((signal) => replayRequirement({ ...options, results, signal }));
  },
});

import { untilInterrupted } from '../ending.ts';
import {
  collected,
  DEFECT,
  flag,
  JSON_RESULTS,
  ON_TARGET,
  optional,
  parsed,
  QUIET,
  reportOf,
  wholeNumber,
} from '../options.ts';
import { EXIT_CODES, verb } from '../verb.ts';

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

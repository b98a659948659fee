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
} from './option-kinds.ts';
import { wholeNumber } from './options.ts';
import { EXIT_CODES, verb } from './verb.ts';

export function exploreCommand(): Command {
  return verb({
    name: 'explore',
    summary: 'send random sequences of requests, and evaluate each exchange',
    options: {
      ...ON_TARGET,
      defect: DEFECT,
      requests: read('<n>', 'number of requests (default: 1000 on the emulator)', wholeNumber),
      seed: read('<n>', 'seed of the random sequences (default: random)', wholeNumber),
      beside: optional(
        '<file>',
        'play the same sequences on this target too, and report the differences: a configuration, a profile of the emulator, or the folder of `observe --stories`',
      ),
      replay: optional('<file>', 'replay only the sequence in this file'),
      corpus: optional('<dir>', 'replay the sequences in this folder first, and add new findings'),
      strict: flag('let warnings fail the run'),
      risk: collected(
        '<risks>',
        'risks to take on a live target: revokes (replays, old refresh tokens, wrong credentials)',
      ),
      report: usually('<dir>', 'write the report to this folder', 'report'),
      quiet: QUIET,
      json: { ...JSON_RESULTS, conflictsWith: 'quiet' },
    },
    help: `
With --beside the exit code is 0 if nothing differs, 1 if something does, 3 if too little was compared.

Examples
  legacy-conformance explore --requests 5000 --seed 7
  legacy-conformance explore --replay report/explored/1-assign.adds-user.json
  legacy-conformance explore --target staging.config.json --requests 300
  legacy-conformance explore --target staging.config.json --beside shim.config.json
  legacy-conformance explore --profile doorkeeper-4 --beside doorkeeper-5
${EXIT_CODES}`,
    run: async ({ defect: defects, risk: risks, requests: explore, beside, ...options }) => {
      if (beside !== undefined) {
        const { besideTarget } = await import('../app/beside.ts');
        return untilInterrupted((signal) =>
          besideTarget({ ...options, beside, defects, risks, explore, signal }),
        );
      }
      const { exploreTarget } = await import('../app/explore.ts');
      return untilInterrupted((signal) => exploreTarget({ ...options, defects, risks, explore, signal }));
    },
  });
}

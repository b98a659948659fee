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
Examples
  legacy-conformance explore --requests 5000 --seed 7
  legacy-conformance explore --replay report/explored/1-assign.adds-user.json
  legacy-conformance explore --target staging.config.json --requests 300
${EXIT_CODES}`,
    run: async ({ defect: defects, risk: risks, requests: explore, ...options }) => {
      const { exploreTarget } = await import('../app/explore.ts');
      return untilInterrupted((signal) => exploreTarget({ ...options, defects, risks, explore, signal }));
    },
  });
}

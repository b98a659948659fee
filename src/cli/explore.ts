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
    summary: 'try sequences of requests that no author wrote, and evaluate each exchange',
    options: {
      ...ON_TARGET,
      defect: DEFECT,
      requests: read('<n>', 'how many (default: 1000 on the emulator)', wholeNumber),
      seed: read(
        '<n>',
        'number that the sequences follow from (default: another one each time)',
        wholeNumber,
      ),
      replay: optional('<file>', 'run the sequence of a file again, and nothing else'),
      corpus: optional('<dir>', 'run all sequences of this folder first, and add what is found'),
      strict: flag('count warnings as violations'),
      risk: collected(
        '<risks>',
        'what may be done to a live target: revokes (replays, old refresh tokens, wrong credentials)',
      ),
      report: usually('<dir>', 'where the report is written', 'report'),
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

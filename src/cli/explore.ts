import type { Command } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';
import { untilInterrupted } from './interruption.ts';
import { collect, list, readEnvFile, verbOnTarget, wholeNumber } from './options.ts';

/** The verb `explore`. */
export function exploreCommand(): Command {
  return verbOnTarget('explore')
    .description('try sequences of requests that no author wrote, each exchange held against the document')
    .option('--defect <ids>', 'defects of the emulator to switch on, separated by commas', list, [])
    .option('--requests <n>', 'how many (default: 1000 on the emulator)', wholeNumber)
    .option(
      '--seed <n>',
      'number that the sequences follow from (default: another one each time)',
      wholeNumber,
    )
    .option('--replay <file>', 'do the sequence of a file again, and nothing else')
    .option('--corpus <dir>', 'do all sequences of this folder first, and add what is found')
    .option('--strict', 'count warnings as violations', false)
    .option(
      '--risk <risks>',
      'what may be done to a live target: revokes (replays, old refresh tokens, wrong credentials)',
      collect,
      [],
    )
    .option('--report <dir>', 'where the report is written', 'report')
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance explore --requests 5000 --seed 7
  legacy-conformance explore --replay report/explored/1-assign.adds-user.json
  legacy-conformance explore --target staging.config.json --requests 300
${EXIT_CODES}`,
    )
    .action(async ({ defect, risk, requests, ...options }: ExploreOptions) => {
      await readEnvFile(options.envFile);
      const { exploreTarget } = await import('../app/explore.ts');
      process.exitCode = await untilInterrupted((signal) =>
        exploreTarget({
          ...options,
          defects: defect,
          risks: risk,
          ...(requests !== undefined && { explore: requests }),
          signal,
        }),
      );
    });
}

/** Options as the command line has them. */
interface ExploreOptions {
  readonly target: string;
  readonly envFile: string | undefined;
  readonly profile: string;
  readonly defect: readonly string[];
  readonly requests?: number;
  readonly seed?: number;
  readonly replay?: string;
  readonly corpus?: string;
  readonly strict: boolean;
  readonly risk: readonly string[];
  readonly report: string;
}

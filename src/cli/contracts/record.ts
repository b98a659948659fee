import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.ts';
import { readEnvFile, verbOnTarget } from '../options.ts';

/** The verb `contracts record`. */
export function recordCommand(): Command {
  return verbOnTarget('record')
    .description('record what a target really answers, scrubbed, for replaying it offline')
    .option(
      '--out <dir>',
      'folder of the recordings; a file is named after its target',
      'contracts/recordings',
    )
    .option('--check', 'write nothing: record again, and compare the shape with what is there', false)
    .addHelpText(
      'after',
      `
Recorded are the exchange, the three operations, the refresh and what is refused. Of headers and bodies only what is known
to be harmless is written, tokens and ids as placeholders; then the text is searched for every secret of the run.

Examples
  legacy-conformance contracts record
  legacy-conformance contracts record --target staging.config.json --out recordings
  legacy-conformance contracts record --target staging.config.json --out recordings --check
${EXIT_CODES}`,
    )
    .action(async (options: RecordOptions) => {
      await readEnvFile(options.envFile);
      const { runRecord } = await import('../../app/record.ts');
      process.exitCode = await runRecord(options);
    });
}

/** Options as the command line has them. */
interface RecordOptions {
  readonly target: string;
  readonly envFile: string | undefined;
  readonly profile: string;
  readonly out: string;
  readonly check: boolean;
}

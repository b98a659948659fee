import { Command, Option } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';
import { collect, list, readEnvFile, wholeNumber } from './options.ts';

/** The verb `check`. */
export function checkCommand(): Command {
  return new Command('check')
    .description('check a target and print the verdict')
    .option(
      '--target <emulator|file>',
      'the emulator, or the configuration file of a live target',
      'emulator',
    )
    .option('--env-file <file>', 'variables that the configuration names and the environment does not set')
    .option('--profile <id>', "the emulator's profile", 'doorkeeper-5')
    .option('--defect <ids>', 'defects of the emulator to switch on, separated by commas', list, [])
    .option('--only <what>', 'a requirement, a group or a clause; may be given more than once', collect, [])
    .option('--strict', 'count warnings as violations', false)
    .option('--report <dir>', 'where the report is written', 'report')
    .option('--workers <n>', 'parallel workers; a live target always has one', wholeNumber)
    .addOption(
      new Option('--install-browser', 'install a browser where there is none').hideHelp().default(false),
    )
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance check
  legacy-conformance check --profile adversarial --only 4.3 --only exchange.code-single-use
  legacy-conformance check --target staging.config.json --strict --report out/staging
${EXIT_CODES}`,
    )
    .action(async (options: CheckOptions) => {
      await readEnvFile(options.envFile);
      const { checkTarget } = await import('../run/check-target.ts');
      process.exitCode = await checkTarget({
        ...options,
        defects: options.defect,
        workers: options.workers,
      });
    });
}

/** Options as the command line has them. */
interface CheckOptions {
  readonly target: string;
  readonly envFile: string | undefined;
  readonly profile: string;
  readonly defect: readonly string[];
  readonly only: readonly string[];
  readonly strict: boolean;
  readonly report: string;
  readonly workers: number | undefined;
  readonly installBrowser: boolean;
}

import { type Command, Option } from 'commander';
import type { ExitCode } from '../report/verdict.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { untilInterrupted } from './interruption.ts';
import { atMost, between, collect, list, readEnvFile, verbOnTarget, wholeNumber } from './options.ts';

/** The verb `check`. */
export function checkCommand(): Command {
  return verbOnTarget('check')
    .description('check a target and print the verdict')
    .option('--defect <ids>', 'defects of the emulator to switch on, separated by commas', list, [])
    .option('--only <what>', 'a requirement, a group or a clause; may be given more than once', collect, [])
    .option('--strict', 'count warnings as violations', false)
    .option(
      '--wait-expiry',
      'on a live target without a clock: wait until tokens expire, 7200 seconds, once for all checks',
      false,
    )
    .option('--smoke', 'on a live target: only what one walk of at most 20 requests shows', false)
    .option(
      '--like <profile>',
      'hold the target to the answers of a profile where the document is silent: an id or a file',
    )
    .option(
      '--risk <risks>',
      'with --like: what may be done to a live target: refusals, revokes, slow',
      collect,
      [],
    )
    .option(
      '--probe-reuse',
      'with --like, on a live target: use old refresh tokens again, which may revoke grants (--risk revokes)',
      false,
    )
    .option(
      '--explore <n>',
      'requests of random sequences after the checks; 0 for none (default: 1000 on the emulator, none on a live target)',
      atMost(1_000_000),
    )
    .option(
      '--seed <n>',
      'number that the sequences follow from (default: another one each time)',
      wholeNumber,
    )
    .option('--corpus <dir>', 'do all sequences of this folder first, and add what is found')
    .option('--report <dir>', 'where the report is written', 'report')
    .option(
      '--known-deviations <file>',
      'deviations that are accepted (default: known-deviations.yaml beside the configuration, if there is one)',
    )
    .option('--propose-deviations <file>', 'write an entry for everything that violates to a new file')
    .option(
      '--workers <n>',
      'emulators that are checked side by side; a live target always has one',
      between(1, 64),
    )
    .option(
      '--watch [folder]',
      'check again when the configuration, or a file in this folder, changes; may be given more than once; Ctrl+C ends it with the exit code of the last run',
      (folder: string, before: readonly string[] | true | undefined) => [
        ...(before === true ? [] : (before ?? [])),
        folder,
      ],
    )
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
  legacy-conformance check --target shim.config.json --watch build
${EXIT_CODES}`,
    )
    .action(async (options: CheckOptions) => {
      await readEnvFile(options.envFile);
      if (options.watch !== undefined) {
        process.exitCode = await watched(options);
        return;
      }
      const { checkTarget } = await import('../app/check-target.ts');
      process.exitCode = await untilInterrupted((signal) =>
        checkTarget({
          ...options,
          defects: options.defect,
          risks: options.risk,
          lanes: options.workers,
          signal,
        }),
      );
    });
}

/** Checks again and again; each run is a process of its own, which reads its own options. */
async function watched({ watch, report, ...named }: CheckOptions): Promise<ExitCode> {
  const { watchCheck } = await import('../app/watch-check.ts');
  const files = [named.target, named.envFile, named.profile, named.like, named.knownDeviations];
  const written = [named.corpus];
  const folders = watch === true ? [] : (watch ?? []);
  return untilInterrupted((signal) =>
    watchCheck(process.argv.slice(2), { folders, files, report, written, signal }),
  );
}

/** Options as the command line has them. */
interface CheckOptions {
  readonly target: string;
  readonly envFile: string | undefined;
  readonly profile: string;
  readonly defect: readonly string[];
  readonly only: readonly string[];
  readonly strict: boolean;
  readonly waitExpiry: boolean;
  readonly smoke: boolean;
  readonly probeReuse: boolean;
  readonly like: string | undefined;
  readonly risk: readonly string[];
  readonly explore?: number;
  readonly seed?: number;
  readonly corpus?: string;
  readonly report: string;
  readonly workers: number | undefined;
  readonly knownDeviations: string | undefined;
  readonly proposeDeviations: string | undefined;
  readonly watch: readonly string[] | true | undefined;
  readonly installBrowser: boolean;
}

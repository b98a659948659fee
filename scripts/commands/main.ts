import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../../src/report/verdict.ts';
import { suiteVersion } from '../run/suite-version.ts';
import { UsageError } from './usage-error.ts';

const EXIT_CODES = `
Exit codes
  0  conforms      every selected, applicable documented requirement passed
  1  violates      a documented requirement failed (with --strict: or a warning), or a finding
  2                wrong usage or configuration, or no browser; nothing was sent
  3  inconclusive  the target could not be judged: not reachable, sign-in failed, throttled, not run
  4  broken        the suite itself failed, or a secret was found in what would have been written`;

const program = new Command('legacy-conformance')
  .description(
    "Does a target still keep the word of the legacy API's document? Checks it, emulates it, gates on it.",
  )
  .version(await suiteVersion())
  .addHelpText('after', EXIT_CODES)
  .showHelpAfterError('(add --help for what there is)')
  .exitOverride();

program
  .command('check')
  .description('check a target and print the verdict')
  .option('--target <emulator|file>', 'the emulator, or the configuration file of a live target', 'emulator')
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
    if (options.envFile !== undefined) await readEnvFile(options.envFile);
    const { check } = await import('./check.ts');
    process.exitCode = await check({ ...options, defects: options.defect, workers: options.workers });
  });

program
  .command('emulate')
  .description('run the service offline, until it is stopped')
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <n>', 'port of the authorization server; 0 for any', port, 8700)
  .option('--api-port <n>', 'port of the resource API; 0 for any', port, 8701)
  .option('--one-origin', 'serve both on the first port', false)
  .option('--profile <id>', 'answers to what the document leaves open', 'doorkeeper-5')
  .option('--seed <file>', 'applications, owners, projects, users and assignments, as YAML or JSON')
  .option('--defect <ids>', 'defects to switch on, separated by commas', list, [])
  .option('--control [port]', 'open the control port: clock, defects, faults, journal, reset', port)
  .option('--control-token <token>', 'what requests to the control port must present; made up when left out')
  .option('--json', 'print addresses and credentials as one line of JSON', false)
  .addHelpText(
    'after',
    `
Examples
  legacy-conformance emulate
  legacy-conformance emulate --profile by-the-rfc --port 0 --api-port 0 --json
  legacy-conformance emulate --defect exchange-code-reusable --control 8702`,
  )
  .action(async (options: EmulateOptions) => {
    const { emulate } = await import('./emulate.ts');
    process.exitCode = await emulate({
      ...options,
      defects: options.defect,
      control: options.control ?? false,
    });
  });

program
  .command('coverage')
  .description('print clauses x requirements x checks, without running anything')
  .option('--json', 'print JSON', false)
  .action(async (options: { json: boolean }) => {
    const { runCoverage } = await import('./coverage.ts');
    const { CHECKS } = await import('../../tests/conformance/checks/index.ts');
    const report = runCoverage(CHECKS.map((check) => check.id));
    process.stdout.write(options.json ? `${JSON.stringify(report.json, null, 2)}\n` : report.text);
    process.exitCode = report.exitCode;
  });

program
  .command('defects')
  .description("list the emulator's switchable defects, and what each breaks")
  .option('--json', 'print JSON', false)
  .action(async (options: { json: boolean }) => {
    const { listDefects } = await import('./defects.ts');
    const { text, json } = listDefects();
    process.stdout.write(options.json ? `${JSON.stringify(json, null, 2)}\n` : text);
  });

/** Options of `check` as the command line has them. */
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

/** Adds the file's variables to the environment, which the run's processes inherit; what is set already stays. */
async function readEnvFile(file: string): Promise<void> {
  const { withEnvFile } = await import('../../src/config/env-file.ts');
  Object.assign(process.env, await withEnvFile(file, process.env));
}

/** Options of `emulate` as the command line has them. */
interface EmulateOptions {
  readonly host: string;
  readonly port: number;
  readonly apiPort: number;
  readonly oneOrigin: boolean;
  readonly profile: string;
  readonly seed: string | undefined;
  readonly defect: readonly string[];
  readonly control: boolean | number | undefined;
  readonly controlToken: string | undefined;
  readonly json: boolean;
}

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  }
  return number;
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((s) => s.trim())
    .filter((s) => s !== '');
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, ...list(value)];
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) {
    throw new InvalidArgumentError('Expected a whole number from 1.');
  }
  return number;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.conforms : EXIT.usage;
  } else if (error instanceof Error && (await isUsage(error))) {
    console.error(error.message);
    process.exitCode = EXIT.usage;
  } else {
    console.error('The suite itself failed; this is a bug of the suite and says nothing about the target.');
    console.error(error);
    process.exitCode = EXIT.broken;
  }
}

/** Loads what it compares with only now: `emulate` starts without it. */
async function isUsage(error: Error): Promise<boolean> {
  if (error instanceof UsageError) return true;
  const [{ UnknownSelection }, { SpecFileError }] = await Promise.all([
    import('../run/selection.ts'),
    import('../../src/catalogue/load-yaml.ts'),
  ]);
  return (
    error instanceof UnknownSelection || error instanceof SpecFileError || error.name === 'ConfigurationError'
  );
}

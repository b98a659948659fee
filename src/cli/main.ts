import { Command, CommanderError } from 'commander';
import { printError } from '../app/print.ts';
import { suiteVersion } from '../app/suite-version.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { end, tellCrash, watchOverTheEnd } from './ending.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { takeTemporaryFolder } from './temporary-folder.ts';
import { UsageError } from './usage-error.ts';
import { verbs } from './verbs.ts';
import { startWatchdog } from './watchdog.ts';

watchOverTheEnd();

const VERBS = verbs();

/** Verbs that start no browser and load no module of the user. */
const QUICK = new Set(['compare', 'coverage', 'defects', 'emulate', 'explain', 'init']);

const program = new Command('legacy-conformance')
  .description(
    "Does a target still keep the word of the legacy API's document? Checks it, emulates it, gates on it.",
  )
  // Before a verb an option is the program's, after it the verb's: `can-i-deploy --version` is Pact's.
  .enablePositionalOptions()
  .option('-V, --version', 'the version of this program, when it stands alone')
  .hook('preAction', (command) => {
    if (command.opts<{ version?: true }>().version)
      throw new UsageError('--version: expected alone, for the version of this program, or behind a verb');
  })
  .addHelpText('after', EXIT_CODES);
for (const verb of VERBS) program.addCommand(verb);
everyCommand(program, (command) => {
  command.showHelpAfterError('(add --help for what there is)').exitOverride();
});

try {
  const [only, ...others] = process.argv.slice(2);
  if ((only === '--version' || only === '-V') && others.length === 0) {
    console.log(await suiteVersion());
    process.exitCode = EXIT.conforms;
  } else {
    if (VERBS.some((verb) => verb.name() === only) && !QUICK.has(only ?? '')) {
      takeTemporaryFolder();
      startWatchdog();
    }
    await program.parseAsync();
  }
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.conforms : EXIT.usage;
  } else if (error instanceof Error && (await isUsage(error))) {
    printError(`${error.message}\n`);
    process.exitCode = EXIT.usage;
  } else {
    tellCrash(error);
    process.exitCode = EXIT.broken;
  }
}
await end(exitCodeOf(process.exitCode));

/** Verbs leave their exit code in the process; one that left none has not finished. */
function exitCodeOf(left: typeof process.exitCode): ExitCode {
  return Object.values(EXIT).find((code) => code === left) ?? EXIT.broken;
}

/** Verbs may have verbs of their own. */
function everyCommand(command: Command, apply: (command: Command) => void): void {
  apply(command);
  for (const sub of command.commands) everyCommand(sub, apply);
}

/** Loads what it compares with only now: `emulate` starts without it. */
async function isUsage(error: Error): Promise<boolean> {
  if (error instanceof UsageError) return true;
  const [{ UnknownSelection }, { SpecFileError }] = await Promise.all([
    import('../app/selection.ts'),
    import('../catalogue/load-yaml.ts'),
  ]);
  return (
    error instanceof UnknownSelection || error instanceof SpecFileError || error.name === 'ConfigurationError'
  );
}

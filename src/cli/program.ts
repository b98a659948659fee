import { Command, CommanderError } from 'commander';
import { suiteVersion } from '../commands/shared/own-package.ts';
import { printError } from '../commands/shared/print.ts';
import { UsageError } from '../document/input/usage-error.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { printCrash } from './ending.ts';
import { EXIT_CODES, wrappedHelp } from './verb.ts';
import { checkCommand } from './verbs/check.ts';
import { clientCommand } from './verbs/client.ts';
import { compareCommand } from './verbs/compare.ts';
import { contractsCommand } from './verbs/contracts.ts';
import { doctorCommand } from './verbs/doctor.ts';
import { emulateCommand } from './verbs/emulate.ts';
import { explainCommand } from './verbs/explain.ts';
import { exploreCommand } from './verbs/explore.ts';
import { handoverCommand } from './verbs/handover.ts';
import { initCommand } from './verbs/init.ts';
import { installBrowserCommand } from './verbs/install-browser.ts';
import { observeCommand } from './verbs/observe.ts';
import { replayCommand } from './verbs/replay.ts';
import { signInCommand } from './verbs/sign-in.ts';
import { sweepCommand } from './verbs/sweep.ts';

export function createProgram(): Command {
  const program = new Command('legacy-conformance')
    .description(
      "Checks that a service still behaves as the legacy API's document says, and emulates it. It changes data: use a staging service, or an account of your own (docs/own-account.md).",
    )
    // Before a verb an option is the program's, after it the verb's.
    .enablePositionalOptions()
    .option('-V, --version', 'print the version (without a verb)')
    .hook('preAction', (command) => {
      if (command.opts<{ version?: true }>().version)
        throw new UsageError('--version: expected alone, for the version of this program, or after a verb');
    })
    .addHelpText('after', wrappedHelp(EXIT_CODES));
  for (const [index, verb] of verbs().entries()) {
    program.commandsGroup(index < FIRST_VERBS ? 'Begin with:' : 'More:').addCommand(verb);
  }
  program.helpCommand(true);
  everyCommand(program, (command) => {
    command.showHelpAfterError('(add --help for what there is)').exitOverride();
  });
  return program;
}

const VERBS: readonly (() => Command)[] = [
  initCommand,
  doctorCommand,
  checkCommand,
  clientCommand,
  emulateCommand,
  observeCommand,
  exploreCommand,
  replayCommand,
  compareCommand,
  explainCommand,
  contractsCommand,
  signInCommand,
  sweepCommand,
  handoverCommand,
  installBrowserCommand,
];

/** The verbs that a newcomer needs come first; `--help` lists the others below. */
const FIRST_VERBS = 6;

export function verbs(): readonly Command[] {
  return VERBS.map((verb) => verb());
}

function everyCommand(command: Command, apply: (command: Command) => void): void {
  apply(command);
  for (const sub of command.commands) everyCommand(sub, apply);
}

/**
 * Runs one command line. The caller ends the process.
 *
 * @param prepare runs before the verb that it gets; it may refuse the start with a UsageError
 */
export async function runProgram(
  args: readonly string[],
  prepare: (verb: string) => void = () => undefined,
): Promise<ExitCode> {
  try {
    const [only, ...others] = args;
    if ((only === '--version' || only === '-V') && others.length === 0) {
      console.log(suiteVersion());
      return EXIT.conforms;
    }
    const program = createProgram();
    if (only !== undefined && program.commands.some((verb) => verb.name() === only)) prepare(only);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (/unknown option '--env-file/.test((error as Error).message))
      printError('--env-file is an option of Node; here it is --variables FILE\n');
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conforms : EXIT.usage;
    if (error instanceof UsageError) {
      printError(`${error.message}\n`);
      return EXIT.usage;
    }
    printCrash(error);
    return EXIT.broken;
  }
  return Object.values(EXIT).find((code) => code === process.exitCode) ?? EXIT.broken;
}

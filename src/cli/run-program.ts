import { CommanderError } from 'commander';
import { suiteVersion } from '../app/own-package.ts';
import { printError } from '../app/print.ts';
import { UsageError } from '../input/usage-error.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { tellCrash } from './ending.ts';
import { theProgram } from './program.ts';

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
      console.log(await suiteVersion());
      return EXIT.conforms;
    }
    const program = theProgram();
    if (only !== undefined && program.commands.some((verb) => verb.name() === only)) prepare(only);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conforms : EXIT.usage;
    if (error instanceof UsageError) {
      printError(`${error.message}\n`);
      return EXIT.usage;
    }
    tellCrash(error);
    return EXIT.broken;
  }
  return Object.values(EXIT).find((code) => code === process.exitCode) ?? EXIT.broken;
}

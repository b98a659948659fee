import { CommanderError } from 'commander';
import { suiteVersion } from '../app/own-package.ts';
import { printError } from '../app/print.ts';
import { UsageError } from '../input/usage-error.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { end, tellCrash, watchOverTheEnd } from './ending.ts';
import { theProgram } from './program.ts';
import { takeTemporaryFolder } from './temporary-folder.ts';

watchOverTheEnd();

const QUICK = new Set(['compare', 'coverage', 'defects', 'emulate', 'explain', 'init']);

const program = theProgram();

try {
  const [only, ...others] = process.argv.slice(2);
  if ((only === '--version' || only === '-V') && others.length === 0) {
    console.log(await suiteVersion());
    process.exitCode = EXIT.conforms;
  } else {
    if (program.commands.some((verb) => verb.name() === only) && !QUICK.has(only ?? '')) {
      takeTemporaryFolder();
    }
    await program.parseAsync();
  }
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.conforms : EXIT.usage;
  } else if (error instanceof UsageError) {
    printError(`${error.message}\n`);
    process.exitCode = EXIT.usage;
  } else {
    tellCrash(error);
    process.exitCode = EXIT.broken;
  }
}
await end(exitCodeOf(process.exitCode));

function exitCodeOf(left: typeof process.exitCode): ExitCode {
  return Object.values(EXIT).find((code) => code === left) ?? EXIT.broken;
}

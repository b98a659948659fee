import { Command } from 'commander';
import { UsageError } from '../input/usage-error.ts';
import { EXIT_CODES } from './verb.ts';
import { verbs } from './verbs.ts';

/**
 * Builds the command line. It never ends the process: errors, and help with exit code 0, are thrown as `CommanderError`
 * or {@link UsageError}.
 */
export function theProgram(): Command {
  const program = new Command('legacy-conformance')
    .description(
      'Does a target still behave as the document of the legacy API says? Checks it, emulates it, gates on it.',
    )
    // Before a verb an option is the program's, after it the verb's: `contracts publish --version` is Pact's.
    .enablePositionalOptions()
    .option('-V, --version', 'print the version (without a verb)')
    .hook('preAction', (command) => {
      if (command.opts<{ version?: true }>().version)
        throw new UsageError('--version: expected alone, for the version of this program, or behind a verb');
    })
    .addHelpText('after', EXIT_CODES);
  for (const verb of verbs()) program.addCommand(verb);
  everyCommand(program, (command) => {
    command.showHelpAfterError('(add --help for what there is)').exitOverride();
  });
  return program;
}

function everyCommand(command: Command, apply: (command: Command) => void): void {
  apply(command);
  for (const sub of command.commands) everyCommand(sub, apply);
}

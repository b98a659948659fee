import { Command } from 'commander';
import { print, printJson } from '../../app/print.ts';
import { EXIT } from '../../report/verdict.ts';

/** The verb `contracts states`. */
export function statesCommand(): Command {
  return new Command('states')
    .description('list the provider states that pacts may use, with parameters and injected values')
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => {
      const { listStates } = await import('../../app/list-states.ts');
      const { text, json } = listStates();
      options.json ? printJson(json) : print(text);
      process.exitCode = EXIT.conforms;
    });
}

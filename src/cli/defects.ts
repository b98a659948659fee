import { Command } from 'commander';
import { print, printJson } from '../app/print.ts';
import { EXIT } from '../report/verdict.ts';

/** The verb `defects`. */
export function defectsCommand(): Command {
  return new Command('defects')
    .description("list the emulator's switchable defects, and what each breaks")
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => {
      const { listDefects } = await import('../app/list-defects.ts');
      const { text, json } = listDefects();
      options.json ? printJson(json) : print(text);
      process.exitCode = EXIT.conforms;
    });
}

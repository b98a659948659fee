import { Command } from 'commander';
import { EXIT } from '../report/verdict.ts';

/** The verb `defects`. */
export function defectsCommand(): Command {
  return new Command('defects')
    .description("list the emulator's switchable defects, and what each breaks")
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => {
      const { listDefects } = await import('../app/list-defects.ts');
      const { text, json } = listDefects();
      process.stdout.write(options.json ? `${JSON.stringify(json, null, 2)}\n` : text);
      process.exitCode = EXIT.conforms;
    });
}

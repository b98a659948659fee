import type { Command } from 'commander';
import { print, printJson } from '../app/print.ts';
import { EXIT } from '../report/verdict.ts';
import { flag } from './option-kinds.ts';
import { verb } from './verb.ts';

export function defectsCommand(): Command {
  return verb({
    name: 'defects',
    summary: "list the emulator's switchable defects and the requirements that each breaks",
    options: { json: flag('print JSON') },
    help: '',
    run: async (options) => {
      const { listDefects } = await import('../app/list-defects.ts');
      const { text, json } = listDefects();
      options.json ? printJson(json) : print(text);
      return EXIT.conforms;
    },
  });
}

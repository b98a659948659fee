import type { Command } from 'commander';
import { print, printJson } from '../../app/print.ts';
import { EXIT } from '../../report/verdict.ts';
import { flag } from '../option-kinds.ts';
import { verb } from '../verb.ts';

export function statesCommand(): Command {
  return verb({
    name: 'states',
    summary: 'list the provider states for pacts, with their parameters and injected values',
    options: { json: flag('print JSON') },
    help: '',
    run: async (options) => {
      const { listStates } = await import('../../app/list-states.ts');
      const { text, json } = listStates();
      options.json ? printJson(json) : print(text);
      return EXIT.conforms;
    },
  });
}

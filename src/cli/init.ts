import type { Command } from 'commander';
import { print } from '../app/print.ts';
import { EXIT } from '../report/verdict.ts';
import { flag, oneOf, optional } from './option-kinds.ts';
import { verb } from './verb.ts';

/** The verb `init`. */
export function initCommand(): Command {
  return verb({
    name: 'init',
    summary: 'write a starter configuration for a live target, and .env.example beside it',
    options: {
      format: oneOf('<format>', 'ts has comments, json has none', ['ts', 'json']),
      out: optional(
        '<file>',
        'the configuration file; when left out, conformance.config.ts (.mts in a CommonJS package)',
      ),
      force: flag('overwrite what is there'),
    },
    help: `
Examples
  legacy-conformance init
  legacy-conformance init --out staging/conformance.config.json

Exit codes
  0  both files were written
  2  wrong usage, or a file is there already; nothing was written`,
    run: async (options) => {
      const { writeStarter } = await import('../app/write-starter.ts');
      print(writeStarter(options));
      return EXIT.conforms;
    },
  });
}

import type { Command } from 'commander';
import { print } from '../app/print.ts';
import { EXIT } from '../report/verdict.ts';
import { flag, oneOf, optional } from './option-kinds.ts';
import { verb } from './verb.ts';

export function initCommand(): Command {
  return verb({
    name: 'init',
    summary: 'write a starter configuration for a live target, or for a client of yours',
    options: {
      client: flag('write app.config.json, which says how your client is driven (verb client)'),
      format: oneOf('<format>', 'ts has comments, json has none', ['ts', 'json']),
      out: optional(
        '<file>',
        'the configuration file; when left out, conformance.config.ts (.mts in a CommonJS package), or app.config.json',
      ),
      force: flag('overwrite what is there'),
    },
    help: `
Examples
  legacy-conformance init
  legacy-conformance init --out staging/conformance.config.json
  legacy-conformance init --client

Exit codes
  0  the configuration and .env.example, or with --client app.config, were written
  2  wrong usage, or a file is there already; nothing was written`,
    run: async (options) => {
      if (options.client) {
        const { writeAppStarter } = await import('../app/write-app-starter.ts');
        print(writeAppStarter(options));
        return EXIT.conforms;
      }
      const { writeStarter } = await import('../app/write-starter.ts');
      print(writeStarter(options));
      return EXIT.conforms;
    },
  });
}

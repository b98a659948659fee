import type { Command } from 'commander';
import { print, printJson } from '../app/print.ts';
import { UsageError } from '../input/usage-error.ts';
import { EXIT } from '../report/verdict.ts';
import { flag } from './option-kinds.ts';
import { verb } from './verb.ts';

export function explainCommand(): Command {
  return verb({
    name: 'explain',
    summary:
      'explain requirements: what each demands, why it matters, how the suite checks it, which defects break it',
    args: [
      [
        '<what...>',
        'a requirement (exchange.code-single-use), a group (exchange) or a clause (4.3); also of clients (pair.own-user)',
      ],
    ],
    options: { json: flag('print JSON') },
    help: `
Examples
  legacy-conformance explain exchange.code-single-use
  legacy-conformance explain 4.3 --json`,
    run: async ({ json }, what) => {
      const { explain, explainText } = await import('../app/explain.ts');
      const { explainClient, explainClientText } = await import('../app/explain.ts');
      const { UnknownSelection } = await import('../app/selection.ts');
      try {
        const ofClients = what.map((word) => explainClient(word));
        const others = what.filter((_, index) => ofClients[index]?.length === 0);
        const clients = ofClients.flat();
        const services = others.length === 0 && what.length > 0 ? [] : await explain(others);
        if (json) printJson([...services, ...clients]);
        else print([explainText(services), explainClientText(clients)].filter(Boolean).join('\n'));
        return EXIT.conforms;
      } catch (error) {
        throw error instanceof UnknownSelection ? new UsageError(error.message, { cause: error }) : error;
      }
    },
  });
}

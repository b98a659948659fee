import { Command } from 'commander';
import { print, printJson } from '../app/print.ts';
import { EXIT } from '../report/verdict.ts';
import { UsageError } from './usage-error.ts';

/** The verb `explain`. */
export function explainCommand(): Command {
  return new Command('explain')
    .description(
      'explain requirements: what they demand, why that matters, how they are checked, what breaks them',
    )
    .argument('<what...>', 'a requirement (exchange.code-single-use), a group (exchange) or a clause (4.3)')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExamples\n  legacy-conformance explain exchange.code-single-use\n  legacy-conformance explain 4.3 --json',
    )
    .action(async (what: readonly string[], options: { json: boolean }) => {
      const { explain, explainText } = await import('../app/explain.ts');
      const { UnknownSelection } = await import('../app/selection.ts');
      try {
        const requirements = await explain(what);
        options.json ? printJson(requirements) : print(explainText(requirements));
        process.exitCode = EXIT.conforms;
      } catch (error) {
        throw error instanceof UnknownSelection ? new UsageError(error.message, { cause: error }) : error;
      }
    });
}

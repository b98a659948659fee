import { Command, Option } from 'commander';
import { print } from '../app/print.ts';
import { EXIT } from '../report/verdict.ts';

/** The verb `init`. */
export function initCommand(): Command {
  return new Command('init')
    .description('write a starter configuration for a live target, and .env.example beside it')
    .addOption(new Option('--format <format>', 'ts has comments, json has none').choices(['ts', 'json']))
    .option(
      '--out <file>',
      'the configuration file; when left out, conformance.config.ts (.mts in a CommonJS package)',
    )
    .option('--force', 'overwrite what is there', false)
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance init
  legacy-conformance init --out staging/conformance.config.json

Exit codes
  0  both files were written
  2  wrong usage, or a file is there already; nothing was written`,
    )
    .action(async (options: { format?: 'ts' | 'json'; out?: string; force: boolean }) => {
      const { writeStarter } = await import('../app/write-starter.ts');
      print(writeStarter({ format: options.format, out: options.out, force: options.force }));
      process.exitCode = EXIT.conforms;
    });
}

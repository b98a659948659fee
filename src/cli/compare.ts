import { Command } from 'commander';

/** The verb `compare`. */
export function compareCommand(): Command {
  return new Command('compare')
    .description('tell what has changed between two profiles, or between two results.json')
    .argument('<old>', 'the file of a profile, the id of one of ours, or a results.json')
    .argument('<new>', 'another of the same kind')
    .option('--markdown <file>', 'write it as Markdown too, for a pull request')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `
What changed, what broke, what healed, and what stopped being looked at, likeliest to break a client first.
Requirements that are new, gone or renamed between two versions of the suite are told; they are no difference.

Examples
  legacy-conformance compare frozen/staging.yaml today.yaml --markdown drift.md
  legacy-conformance compare doorkeeper-5 frozen/staging.yaml
  legacy-conformance compare last/results.json report/results.json

Exit codes
  0  nothing differs
  1  something differs
  2  wrong usage: a file that is neither, or one of each`,
    )
    .action(async (before: string, after: string, options: CompareOptions) => {
      const { compareFiles } = await import('../app/compare-files.ts');
      process.exitCode = await compareFiles(before, after, options);
    });
}

/** Options as the command line has them. */
interface CompareOptions {
  readonly markdown: string | undefined;
  readonly json: boolean;
}

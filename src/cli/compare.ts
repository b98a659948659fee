import type { Command } from 'commander';
import { flag, optional } from './option-kinds.ts';
import { verb } from './verb.ts';

export function compareCommand(): Command {
  return verb({
    name: 'compare',
    summary: 'print what has changed between two profiles, or between two results.json',
    args: [
      ['<old>', 'the file of a profile, the id of one of ours, or a results.json'],
      ['<new>', 'another of the same kind'],
    ],
    options: {
      markdown: optional('<file>', 'write it as Markdown too, for a pull request'),
      html: optional('<file>', 'write it as a page too, in the style of the report'),
      json: flag('print JSON'),
    },
    help: `
What changed, what broke, what was fixed, and what is no longer looked at, likeliest to break a client first.
Requirements that are new, gone or renamed between two versions of the suite are listed; they are no difference.

Examples
  legacy-conformance compare frozen/staging.yaml today.yaml --markdown drift.md
  legacy-conformance compare doorkeeper-5 frozen/staging.yaml
  legacy-conformance compare last/results.json report/results.json

Exit codes
  0  nothing differs
  1  something differs
  2  wrong usage: a file that is neither, or one of each`,
    run: async (options, [before = '', after = '']) => {
      const { compareFiles } = await import('../app/compare-files.ts');
      return compareFiles(before, after, options);
    },
  });
}

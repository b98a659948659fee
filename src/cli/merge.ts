import type { Command } from 'commander';
import { collected, flag, optional, read, usually } from './option-kinds.ts';
import { wholeNumber } from './options.ts';
import { verb } from './verb.ts';

export function mergeCommand(): Command {
  return verb({
    name: 'merge',
    summary: 'merge the results.json of many targets into one report and one exit code',
    args: [['<dir...>', 'folders of reports, or a folder that contains them']],
    options: {
      expect: read('<n>', 'number of targets; with fewer results the exit code is 3', wholeNumber),
      target: collected('<files>', 'configurations whose secrets must not appear in the report'),
      envFile: optional('<file>', 'read variables from this file; the environment wins'),
      report: usually('<dir>', 'write the report to this folder', 'merged-report'),
      json: flag('print targets.json on standard output, and everything else on standard error'),
    },
    help: `
Examples
  legacy-conformance merge artifacts --expect 12
  legacy-conformance merge reports/eu reports/us --report out

Exit codes: the first of 4, 2, 1, 3, 0 that a target has
  0  every target conforms, or is retired as expected
  1  one violates
  2  wrong usage
  3  one was not evaluated, or its results are missing or damaged
  4  one is broken, the report could not be written, or it contained a secret`,
    run: async ({ expect, target: targets, report, json }, paths) => {
      const { mergeResults } = await import('../app/merge-results.ts');
      return mergeResults({ paths, expect, targets, report, json });
    },
  });
}

import type { Command } from 'commander';
import { collected, flag, optional, read, usually } from './option-kinds.ts';
import { wholeNumber } from './options.ts';
import { verb } from './verb.ts';

export function mergeCommand(): Command {
  return verb({
    name: 'merge',
    summary: "make one report and one exit code of many targets' results.json",
    args: [['<dir...>', 'folders of reports, or a folder with such folders']],
    options: {
      expect: read('<n>', 'how many targets there must be: fewer results are exit code 3', wholeNumber),
      target: collected('<files>', 'configurations whose secrets nothing of the report may hold'),
      envFile: optional('<file>', 'variables that the configurations name and the environment does not set'),
      report: usually('<dir>', 'where the report is written', 'merged-report'),
      json: flag('print what targets.json holds on standard output, and all else on standard error'),
    },
    help: `
Examples
  legacy-conformance merge artifacts --expect 12
  legacy-conformance merge reports/eu reports/us --report out

Exit codes: the worst of all, 4, 2, 1, 3, 0
  0  every target conforms, or is retired as expected
  1  one violates
  2  wrong usage
  3  one could not be evaluated, or its results are missing or damaged
  4  one is broken, or the report could not be written or would have held a secret`,
    run: async ({ expect, target: targets, report, json }, paths) => {
      const { mergeResults } = await import('../app/merge-results.ts');
      return mergeResults({ paths, expect, targets, report, json });
    },
  });
}

import { flag } from '../options.ts';
import { verb } from '../verb.ts';

export const compareCommand = verb({
  name: 'compare',
  summary: 'print the differences between two profiles, or between two results.json',
  args: [
    ['<old>', 'the file or id of a profile, or a results.json'],
    ['<new>', 'the other one, of the same kind'],
  ],
  options: { json: flag('print JSON') },
  help: `
Prints what changed, what broke, what was fixed and what is no longer checked. What is most likely to break a client comes first.
Requirements that a version of the suite added or removed are listed, and do not count as differences.

Examples
  legacy-conformance compare frozen/staging.yaml today.yaml
  legacy-conformance compare doorkeeper-5 frozen/staging.yaml
  legacy-conformance compare last/results.json report/check/results.json

Exit codes
  0  nothing differs
  1  something differs
  2  wrong usage: a file is neither of the two kinds, or the kinds differ`,
  run: async (options, [before = '', after = '']) => {
    const { compareFiles } = await import('../../commands/compare/verb.ts');
    return compareFiles(before, after, options);
  },
});

import { flag, optional } from './options.ts';
import { verb } from './verb.ts';

export const compareCommand = verb({
  name: 'compare',
  summary: 'print the differences between two profiles, or between two results.json',
  args: [
    ['<old>', 'the file or id of a profile, or a results.json'],
    ['<new>', 'the other one, of the same kind'],
  ],
  options: {
    markdown: optional('<file>', 'also write a Markdown file, for a pull request'),
    html: optional('<file>', 'also write a page like the report'),
    json: flag('print JSON'),
  },
  help: `
Prints what changed, what broke, what was fixed and what is no longer checked. What is most likely to break a client comes first.
Requirements that a version of the suite added, removed or renamed are listed, and do not count as differences.

Examples
  legacy-conformance compare frozen/staging.yaml today.yaml --markdown drift.md
  legacy-conformance compare doorkeeper-5 frozen/staging.yaml
  legacy-conformance compare last/results.json report/results.json

Exit codes
  0  nothing differs
  1  something differs
  2  wrong usage: a file is neither of the two kinds, or the kinds differ`,
  run: async (options, [before = '', after = '']) => {
    const { compareFiles } = await import('../app/compare-files.ts');
    return compareFiles(before, after, options);
  },
});

export const verifyRecordCommand = verb({
  name: 'verify-record',
  summary: 'compare the files of a record with its manifest',
  args: [['<dir>', 'the folder that `observe --stories` has written']],
  options: { json: flag('print the differences as JSON on standard output') },
  help: `
Computes the digest of each file again. Names each file that was changed, is missing, or is not part of the record.
A digest shows accidental changes. It does not show who made the record, or when: for that, sign manifest.json. Files whose names begin with
\`manifest.json.\` are signatures: the verb lists them, and does not verify them.

Examples
  legacy-conformance observe --target staging.config.json --stories record
  legacy-conformance verify-record record

Exit codes
  0  every file is as recorded
  1  a file was changed, is missing, or is not part of the record
  2  wrong usage, or a folder without a manifest`,
  run: async (options, [folder = '']) => {
    const { verifyRecord } = await import('../app/verify-record.ts');
    return verifyRecord(folder, options);
  },
});

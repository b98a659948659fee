import type { Command } from 'commander';
import { flag } from './option-kinds.ts';
import { verb } from './verb.ts';

export function verifyRecordCommand(): Command {
  return verb({
    name: 'verify-record',
    summary: 'compare the files of a record with its manifest',
    args: [['<dir>', 'the folder that `observe --stories` has written']],
    options: { json: flag('print the differences as JSON on standard output') },
    help: `
Computes the digest of each file again. Names each file that was changed, is missing, or is not part of the record.
A digest finds slips. It does not show who made the record, or when: for that, sign manifest.json. Files whose names begin with
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
}

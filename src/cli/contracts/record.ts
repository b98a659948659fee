import type { Command } from 'commander';
import { untilInterrupted } from '../interruption.ts';
import { ASSIGNED_IN, flag, ON_TARGET, usually } from '../option-kinds.ts';
import { EXIT_CODES, verb } from '../verb.ts';

export function recordCommand(): Command {
  return verb({
    name: 'record',
    summary: 'record what a target really answers, scrubbed, for replaying it offline',
    options: {
      ...ON_TARGET,
      out: usually(
        '<dir>',
        'folder of the recordings; a file is named after its target',
        'contracts/recordings',
      ),
      report: ASSIGNED_IN,
      check: flag('write nothing: record again, and compare the shape with what is there'),
    },
    help: `
Recorded are the exchange, the three operations, the refresh and what is refused. Of headers and bodies only what is known
to be harmless is written, tokens and ids as placeholders; then the text is searched for every secret of the run.

Examples
  legacy-conformance contracts record
  legacy-conformance contracts record --target staging.config.json --out recordings
  legacy-conformance contracts record --target staging.config.json --out recordings --check
${EXIT_CODES}`,
    run: async (options) => {
      const { runRecord } = await import('../../app/record.ts');
      return runRecord({ ...options, untilInterrupted });
    },
  });
}

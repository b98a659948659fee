import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { flag, optional, required, usually } from './option-kinds.ts';
import { EXIT_CODES, verb } from './verb.ts';

export function replayCommand(): Command {
  return verb({
    name: 'replay',
    summary: 'print the requests of one requirement as curl commands, and rerun its check',
    args: [['<results>', 'a results.json, or the folder of a report']],
    options: {
      only: required('<id>', 'the requirement'),
      target: optional('<file>', 'configuration of the live target whose results these are'),
      envFile: optional('<file>', 'read variables from this file; the environment wins'),
      profile: optional('<file>', "file of the emulator's profile, if the results come from one"),
      print: flag('print the commands only, and run no check'),
      report: usually('<dir>', 'write the report of the check to this folder', 'replay-report'),
    },
    help: `
The commands are for bash and zsh. Secrets are variables ($CLIENT_SECRET_1), because the report does not contain them.
The emulator starts with the profile and the defects that the results name.

Examples
  legacy-conformance replay report --only refresh.chain --target staging.config.json
  legacy-conformance replay report --only exchange.code-single-use --print
${EXIT_CODES}`,
    run: async ({ envFile: _, ...options }, [results = '']) => {
      const { replayRequirement } = await import('../app/replay-requirement.ts');
      return untilInterrupted((signal) => replayRequirement({ ...options, results, signal }));
    },
  });
}

import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { flag, optional, required, usually } from './option-kinds.ts';
import { EXIT_CODES, verb } from './verb.ts';

export function replayCommand(): Command {
  return verb({
    name: 'replay',
    summary: 'print what was sent for one requirement as curl commands, and run its check again',
    args: [['<results>', 'a results.json, or the folder of a report']],
    options: {
      only: required('<id>', 'the requirement'),
      target: optional('<file>', 'the configuration of the live target that the results are of'),
      envFile: optional('<file>', 'variables that the configuration names and the environment does not set'),
      profile: optional('<file>', "the emulator's profile, where the results are of one from a file"),
      print: flag('print the commands, and check nothing'),
      report: usually('<dir>', 'where the report of the check is written', 'replay-report'),
    },
    help: `
The commands are for bash and zsh. A secret is a variable ($CLIENT_SECRET_1): the report does not have it. The emulator is started again as the
results have it, with the same profile and defects.

Examples
  legacy-conformance replay conformance-report --only refresh.chain --target staging.config.json
  legacy-conformance replay report/results.json --only exchange.code-single-use --print
${EXIT_CODES}`,
    run: async ({ envFile: _, ...options }, [results = '']) => {
      const { replayRequirement } = await import('../app/replay-requirement.ts');
      return untilInterrupted((signal) => replayRequirement({ ...options, results, signal }));
    },
  });
}

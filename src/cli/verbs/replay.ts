import { untilInterrupted } from '../ending.ts';
import { flag, optional, reportOf } from '../options.ts';
import { EXIT_CODES, type OptionOf, verb } from '../verb.ts';

export const replayCommand = verb({
  name: 'replay',
  summary: 'print the requests of one requirement as curl commands, and rerun its check',
  args: [['<results>', 'a results.json, or the folder of a report']],
  options: {
    only: { value: '<id>', text: 'the requirement', required: true } as OptionOf<string>,
    target: optional('<file>', 'configuration of the live target whose results these are'),
    variables: optional('<file>', 'read variables from this file; the environment has precedence'),
    profile: optional('<file>', "file of the emulator's profile, if the results come from one"),
    print: flag('print the commands only, and run no check'),
    report: reportOf('replay', 'write the report of the check to this folder'),
  },
  help: `
The commands are for bash and zsh. Secrets are variables ($CLIENT_SECRET_1), because the report does not contain them.
The emulator starts with the profile and the defects that the results name.

Examples
  legacy-conformance replay report/check --only refresh.chain \\
    --target staging.config.json
  legacy-conformance replay report/check --print \\
    --only exchange.code-single-use
${EXIT_CODES}`,
  run: async ({ variables: _, ...options }, [results = '']) => {
    const { replayRequirement } = await import('../../commands/replay/verb.ts');
    return untilInterrupted((signal) => replayRequirement({ ...options, results, signal }));
  },
});

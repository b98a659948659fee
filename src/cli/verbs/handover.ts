import { untilInterrupted } from '../ending.ts';
import { flag, ON_LIVE_TARGET, optional } from '../options.ts';
import { verb } from '../verb.ts';

export const handoverCommand = verb({
  name: 'handover',
  summary: 'ask a new service which grants and assignments of the old one it knows',
  args: [['<step>', '`before` at the old service, `after` at the new one, `clean` at each']],
  options: {
    ...ON_LIVE_TARGET,
    back: flag('with after: the target is the old service again, after a roll-back'),
    expect: optional('<file>', 'with after: exit 1 unless the answers are those in this file (YAML or JSON)'),
    json: flag('print answers and evidence as JSON on standard output'),
  },
  help: `
\`before\` leaves at the old service: a token pair, an unused code, the owner's consent, and the user \`handover.user\` assigned. With a clock
also an expired pair; with the ability \`create-application\` also an application. It encrypts codes and tokens into \`handover.file\`.

\`after\` asks the new service whether each of them works. It uses up the code and the refresh tokens.

\`clean\` unassigns that user. At the old service it also deletes the file.

Examples
  legacy-conformance handover before --target old.config.json
  legacy-conformance handover after --target new.config.json \\
    --expect handover.yaml
  legacy-conformance handover after --target old.config.json --back
  legacy-conformance handover clean --target new.config.json

Exit codes
  0  every question got an answer; with --expect, the expected one
  1  an answer is not the expected one, or the service does not unassign the user
  2  wrong usage or configuration; the suite sent nothing
  3  a question got no answer, \`before\` could not leave something behind, or no list can tell if the user is unassigned
  4  the suite itself failed`,
  run: async (options, [step = '']) => {
    const { handover } = await import('../../commands/handover/verb.ts');
    return untilInterrupted(() => handover({ ...options, step }));
  },
});

import { untilInterrupted } from './ending.ts';
import { assignedBy, flag, ON_LIVE_TARGET, optional } from './options.ts';
import { type OptionOf, verb } from './verb.ts';

export const doctorCommand = verb({
  name: 'doctor',
  summary: 'check a configuration and its live target step by step, and stop at the first step that fails',
  options: {
    ...ON_LIVE_TARGET,
    walk: flag('also sign in, and try every user, project, redirect address and application once'),
    propose: {
      ...flag(
        'with --walk: find `signIn.steps` and the consent buttons, and write them into the configuration',
      ),
      needs: 'walk',
    },
    report: assignedBy('doctor'),
  },
  help: `
Steps: schema, variables, certificates, gateway, clock, authorize page. With --walk also: sign-in, redirect, token, list, users, settings, account area, assign.

Without --walk, doctor changes nothing. With --walk it assigns and unassigns each user once; grants, tokens and, with create-application, an application remain.
At the end it prints what a run would change.

With --walk --propose, doctor signs in by what the pages ask for, and repeats the steps in a new session. It reads the consent buttons and clicks none.
It writes \`signIn\` and \`consent\` into a .json file, and prints them for a module.

Examples
  legacy-conformance doctor --target staging.config.json
  legacy-conformance doctor --target staging.config.json --walk --propose
  legacy-conformance doctor --target staging.config.json --walk

Exit codes
  0  every step passed
  2  wrong usage or configuration, or no browser; nothing was sent
  3  a step failed; doctor prints how to fix it`,
  run: async (options) => {
    const { doctor } = await import('../../commands/doctor/verb.ts');
    return untilInterrupted((signal) => doctor(options, signal));
  },
});

const SAVE: OptionOf<true> = {
  text: 'encrypt the session, and save it where `signIn.session` says',
  required: true,
};

export const signInCommand = verb({
  name: 'sign-in',
  summary: 'sign in by hand, past a captcha or second factor, and save the session',
  options: { ...ON_LIVE_TARGET, save: SAVE },
  help: `
Opens a window at the authorization address, so it needs a display. You may copy the file to a machine without one.
If the service shows the sign-in page again during a run, the session has expired: the run ends with exit 3.

Examples
  legacy-conformance sign-in --save --target staging.config.json

Exit codes
  0  saved the session
  2  wrong usage or configuration, or no browser that opens a window; nothing was sent
  3  the sign-in was not completed`,
  run: async (options) => {
    const { saveSession } = await import('../../commands/sign-in/verb.ts');
    return saveSession(options);
  },
});

const YES: OptionOf<boolean> = {
  ...flag('unassign every user in `users`, even if no run assigned them'),
  conflictsWith: 'report',
};

export const sweepCommand = verb({
  name: 'sweep',
  summary: 'unassign the users that a killed run left assigned',
  options: {
    ...ON_LIVE_TARGET,
    report: optional('<dir>', 'report folder of that run: unassign exactly the users that it assigned'),
    yes: YES,
  },
  help: `
A run lists the users that it assigns in its report folder (assigned-users.json). With --report, sweep unassigns exactly these users.
If there are none, it sends nothing.

Without --report, sweep looks for such lists in the folder report and in the folders below it. If there are none, it prints which users it
would unassign, and changes nothing. If only the suite uses these users, confirm with --yes.

Do not sweep during a run: it would unassign the users of that run.

Examples
  legacy-conformance sweep --target staging.config.json \\
    --report report/check
  legacy-conformance sweep --target staging.config.json
  legacy-conformance sweep --target staging.config.json --yes

Exit codes
  0  the users that the runs assigned are unassigned
  1  the service answered an unassign, and ten seconds later the list still shows the user
  2  wrong usage or configuration, or no browser; nothing was sent
  3  sweep changed nothing although users are assigned, or the service was not reachable or refused the suite
  4  the suite itself failed`,
  run: async (options) => {
    const { sweepTarget } = await import('../../commands/sweep/verb.ts');
    // It cleans up, so the first signal does not stop it; the second ends it at once.
    return untilInterrupted(() => sweepTarget(options));
  },
});

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

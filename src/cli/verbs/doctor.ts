import { untilInterrupted } from '../ending.ts';
import { assignedBy, flag, ON_LIVE_TARGET } from '../options.ts';
import { verb } from '../verb.ts';

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

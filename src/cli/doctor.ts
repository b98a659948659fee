import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { ASSIGNED_IN, flag, ON_LIVE_TARGET } from './option-kinds.ts';
import { verb } from './verb.ts';

export function doctorCommand(): Command {
  return verb({
    name: 'doctor',
    summary: 'check step by step whether a live target can be checked, and stop at the first step that fails',
    options: {
      ...ON_LIVE_TARGET,
      walk: flag('try every user, project, redirect address and application once, too'),
      report: ASSIGNED_IN,
      json: flag('print the steps as JSON on standard output, and all else on standard error'),
    },
    help: `
The steps: schema, variables, names, certificates, clock, authorize page; with --walk also sign-in, redirect, token,
list, users, settings, assign. Without --walk nothing is changed anywhere; with it each user is assigned once and unassigned, and
grants and tokens are left. At the end it says what a run would change.

Examples
  legacy-conformance doctor --target staging.config.json
  legacy-conformance doctor --target staging.config.json --walk

Exit codes
  0  every step passed
  2  wrong usage or configuration, or no browser; nothing was sent
  3  a step failed; it says how to fix it`,
    run: async (options) => {
      const { doctor } = await import('../app/doctor.ts');
      return untilInterrupted((signal) => doctor(options, signal));
    },
  });
}

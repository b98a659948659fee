import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { ASSIGNED_IN, flag, ON_LIVE_TARGET } from './option-kinds.ts';
import { verb } from './verb.ts';

export function doctorCommand(): Command {
  return verb({
    name: 'doctor',
    summary: 'check a configuration and its live target step by step, and stop at the first step that fails',
    options: {
      ...ON_LIVE_TARGET,
      walk: flag('also sign in, and try every user, project, redirect address and application once'),
      report: ASSIGNED_IN,
      json: flag('print the steps as JSON on standard output, and everything else on standard error'),
    },
    help: `
Steps: schema, variables, names, certificates, gateway, clock, authorize page. With --walk also: sign-in, redirect, token, list, users, settings, assign.

Without --walk, doctor changes nothing. With --walk it assigns and unassigns each user once; grants and tokens remain.
At the end it prints what a run would change.

Examples
  legacy-conformance doctor --target staging.config.json
  legacy-conformance doctor --target staging.config.json --walk

Exit codes
  0  every step passed
  2  wrong usage or configuration, or no browser; nothing was sent
  3  a step failed; doctor prints how to fix it`,
    run: async (options) => {
      const { doctor } = await import('../app/doctor.ts');
      return untilInterrupted((signal) => doctor(options, signal));
    },
  });
}

import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { flag, ON_LIVE_TARGET, optional } from './option-kinds.ts';
import { type OptionOf, verb } from './verb.ts';

const YES: OptionOf<boolean> = {
  ...flag('unassign every user named in `users`, also if no run has assigned them'),
  conflictsWith: 'report',
};

export function sweepCommand(): Command {
  return verb({
    name: 'sweep',
    summary: 'unassign whom a run has left assigned because it was killed',
    options: {
      ...ON_LIVE_TARGET,
      report: optional(
        '<dir>',
        "folder of that run's report: unassign exactly whom it says the run has assigned",
      ),
      yes: YES,
    },
    help: `
A run keeps in the folder of its report which users it has assigned (assigned-users.json). With --report these are unassigned and
nobody else; where they are none, nothing is sent. Without that file it prints who would be unassigned, and changes nothing: a
person who knows that only the suite uses these users confirms with --yes. Do not use it while a run is under way: that run would
notice, and end.

Examples
  legacy-conformance sweep --target staging.config.json --report report
  legacy-conformance sweep --target staging.config.json
  legacy-conformance sweep --target staging.config.json --yes

Exit codes
  0  nobody whom the run has assigned is assigned any more; without --report: none of the suite's own users is
  1  the service answered 2xx to an unassign, and the list still shows the user
  2  wrong usage or configuration, or no browser; nothing was sent
  3  nothing was changed although users are assigned, or the service could not be reached or refused the suite
  4  users stay assigned, or others were unassigned; it says who`,
    run: async (options) => {
      const { sweepTarget } = await import('../app/sweep-target.ts');
      // It is what cleans up: told to stop, it goes on to its end; told twice, it ends at once.
      return untilInterrupted(() => sweepTarget(options));
    },
  });
}

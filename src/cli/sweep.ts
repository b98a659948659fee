import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { flag, ON_LIVE_TARGET, optional } from './option-kinds.ts';
import { type OptionOf, verb } from './verb.ts';

const YES: OptionOf<boolean> = {
  ...flag('unassign every user in `users`, even if no run assigned them'),
  conflictsWith: 'report',
};

export function sweepCommand(): Command {
  return verb({
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

Without --report, sweep prints which users it would unassign, and changes nothing. If only the suite uses these users, confirm with --yes.

Do not sweep during a run: that run would notice the change, and end.

Examples
  legacy-conformance sweep --target staging.config.json --report report
  legacy-conformance sweep --target staging.config.json
  legacy-conformance sweep --target staging.config.json --yes

Exit codes
  0  the users that the run assigned are unassigned; without --report: all of the suite's users are
  1  the service answered 2xx to an unassign, and the list still shows the user
  2  wrong usage or configuration, or no browser; nothing was sent
  3  sweep changed nothing although users are assigned, or the service was not reachable or refused the suite
  4  users stay assigned, or other users were unassigned; sweep names them`,
    run: async (options) => {
      const { sweepTarget } = await import('../app/sweep-target.ts');
      // It cleans up, so the first signal does not stop it; the second ends it at once.
      return untilInterrupted(() => sweepTarget(options));
    },
  });
}

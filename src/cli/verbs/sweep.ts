import { untilInterrupted } from '../ending.ts';
import { flag, ON_LIVE_TARGET, optional } from '../options.ts';
import { type OptionOf, verb } from '../verb.ts';

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

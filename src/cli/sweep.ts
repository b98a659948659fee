import type { Command } from 'commander';
import { untilInterrupted } from './interruption.ts';
import { ON_LIVE_TARGET } from './option-kinds.ts';
import { verb } from './verb.ts';

/** The verb `sweep`. */
export function sweepCommand(): Command {
  return verb({
    name: 'sweep',
    summary: "unassign the suite's own users in the configured projects, after a run that was killed",
    options: ON_LIVE_TARGET,
    help: `
Signs in, obtains a token, lists, unassigns and lists again. It needs nothing but the configuration, and changes
only the users named in \`users\`. Do not use it while a run is under way: that run would notice, and end.

Examples
  legacy-conformance sweep --target staging.config.json --env-file .env

Exit codes
  0  none of the suite's own users is assigned
  2  wrong usage or configuration, or no browser; nothing was sent
  3  the service could not be reached or refused us; what is left is not known
  4  something is left that the suite cannot clean up; it says what`,
    run: async ({ target }) => {
      const { sweepTarget } = await import('../app/sweep-target.ts');
      // It is what cleans up: told to stop, it goes on to its end; told twice, it ends at once.
      return untilInterrupted(() => sweepTarget(target));
    },
  });
}

import type { Command } from 'commander';
import { readEnvFile, verbOnLiveTarget } from './options.ts';

/** The verb `sweep`. */
export function sweepCommand(): Command {
  return verbOnLiveTarget('sweep')
    .description("unassign the suite's own users in the configured projects, after a run that was killed")
    .addHelpText(
      'after',
      `
Signs in, obtains a token, lists, unassigns and lists again. It needs nothing but the configuration, and touches
nobody but the users named in \`users\`. Not to be used while a run is under way: that run would notice, and end.

Examples
  legacy-conformance sweep --target staging.config.json --env-file .env

Exit codes
  0  none of the suite's own users is assigned
  2  wrong usage or configuration, or no browser; nothing was sent
  3  the service could not be reached or refused us; what is left is not known
  4  something is left that the suite cannot put right; it says what`,
    )
    .action(async (options: { target: string; envFile: string | undefined }) => {
      await readEnvFile(options.envFile);
      const { sweepTarget } = await import('../app/sweep-target.ts');
      process.exitCode = await sweepTarget(options.target);
    });
}

import type { Command } from 'commander';
import { readEnvFile, verbOnLiveTarget } from './options.ts';

/** The verb `doctor`. */
export function doctorCommand(): Command {
  return verbOnLiveTarget('doctor')
    .description(
      'climb from the configuration to a live target, and stop at the first rung that does not hold',
    )
    .option('--walk', 'sign in, grant and read the lists, too; leaves a grant and a pair of tokens', false)
    .addHelpText(
      'after',
      `
The rungs: schema, variables, names, certificates, clock, authorize page; with --walk also sign-in, redirect, token,
list, users. Without --walk nothing is changed anywhere. At the end it says what a run would change.

Examples
  legacy-conformance doctor --target staging.config.json --env-file .env
  legacy-conformance doctor --target staging.config.json --env-file .env --walk

Exit codes
  0  every rung holds
  2  wrong usage or configuration, or no browser; nothing was sent
  3  a rung does not hold; it says what to do`,
    )
    .action(async (options: { target: string; envFile: string | undefined; walk: boolean }) => {
      await readEnvFile(options.envFile);
      const { doctor } = await import('../app/doctor.ts');
      process.exitCode = await doctor(options);
    });
}

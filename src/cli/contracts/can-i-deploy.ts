import { Command } from 'commander';
import { atMost } from '../options.ts';
import { BROKER_HELP } from './broker-help.ts';

/** The verb `contracts can-i-deploy`. */
export function canIDeployCommand(): Command {
  return new Command('can-i-deploy')
    .description('may a version be deployed to an environment? The broker knows what was verified with what')
    .requiredOption('--pacticipant <name>', 'the consumer or provider to be deployed')
    .requiredOption('--to-environment <name>', 'where to')
    .option('--version-number <version>', "its version; else the commit, on pull requests the head's")
    .option(
      '--results <file>',
      'the results.json of `check` that the version is derived from, for a provider',
    )
    .option(
      '--retry-while-unknown <times>',
      'ask again while a result is missing, 100 times at most',
      atMost(100),
      0,
    )
    .option('--retry-interval <seconds>', 'time between two questions, 60 at most', atMost(60), 10)
    .option('--broker-base-url <url>', 'else PACT_BROKER_BASE_URL')
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance contracts can-i-deploy --pacticipant my-app --to-environment production
  legacy-conformance contracts can-i-deploy --pacticipant my-app --to-environment production --retry-while-unknown 12
${BROKER_HELP}`,
    )
    .action(async (options: CanIDeployOptions) => {
      const { runCanIDeploy } = await import('../../app/broker.ts');
      process.exitCode = await runCanIDeploy(options);
    });
}

/** Options as the command line has them. */
interface CanIDeployOptions {
  readonly pacticipant: string;
  readonly toEnvironment: string;
  readonly versionNumber: string | undefined;
  readonly results: string | undefined;
  readonly retryWhileUnknown: number;
  readonly retryInterval: number;
  readonly brokerBaseUrl: string | undefined;
}

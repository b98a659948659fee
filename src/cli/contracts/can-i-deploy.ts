import type { Command } from 'commander';
import { atMost } from '../options.ts';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb, type VersionOptions, versionOptions } from './broker-verb.ts';

/** The verb `contracts can-i-deploy`. */
export function canIDeployCommand(): Command {
  return versionOptions(brokerVerb('can-i-deploy'), 'the consumer or provider to be deployed')
    .description('may a version be deployed to an environment? The broker knows what was verified with what')
    .option('--to-environment <name>', 'where to')
    .option('--to <tag>', 'where to, with a broker that knows tags in place of environments')
    .option(
      '--retry-while-unknown <times>',
      'ask again while a result is missing, 100 times at most',
      atMost(100),
      0,
    )
    .option('--retry-interval <seconds>', 'time between two questions, 60 at most', atMost(60), 10)
    .option('--dry-run', 'exit 0 whatever the answer', false)
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance contracts can-i-deploy --pacticipant my-app --to-environment production
  legacy-conformance contracts can-i-deploy -a my-app -e 1.4.0 --to-environment production --retry-while-unknown 12
${BROKER_HELP}`,
    )
    .action(async (options: CanIDeployOptions) => {
      const { runCanIDeploy } = await import('../../app/broker/ask.ts');
      process.exitCode = await runCanIDeploy(options);
    });
}

/** Options as the command line has them. */
interface CanIDeployOptions extends BrokerVerbOptions, VersionOptions {
  readonly toEnvironment: string | undefined;
  readonly to: string | undefined;
  readonly retryWhileUnknown: number;
  readonly retryInterval: number;
  readonly dryRun: boolean;
}

import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb, type VersionOptions, versionOptions } from './broker-verb.ts';

/** The verb `contracts record-deployment`. */
export function recordDeploymentCommand(): Command {
  return versionOptions(brokerVerb('record-deployment'), 'the consumer or provider that was deployed')
    .description('tell the broker that a version now runs in an environment, in place of the one before it')
    .requiredOption('--environment <name>', 'where to')
    .option('--application-instance <name>', 'which of several installations in the environment')
    .addHelpText(
      'after',
      `
With --results a version that the broker does not know is created: the first record of a service needs no pact.

Examples
  legacy-conformance contracts record-deployment --pacticipant my-app --environment production
  legacy-conformance contracts record-deployment --pacticipant legacy-resource-api --environment production --results report/results.json
${BROKER_HELP}`,
    )
    .action(async (options: RecordDeploymentOptions) => {
      const { runRecord } = await import('../../app/broker/ask.ts');
      process.exitCode = await runRecord('deployment', options);
    });
}

/** Options as the command line has them. */
interface RecordDeploymentOptions extends BrokerVerbOptions, VersionOptions {
  readonly environment: string;
  readonly applicationInstance: string | undefined;
}

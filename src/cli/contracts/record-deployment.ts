import { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';

/** The verb `contracts record-deployment`. */
export function recordDeploymentCommand(): Command {
  return new Command('record-deployment')
    .description('tell the broker that a version now runs in an environment')
    .requiredOption('--pacticipant <name>', 'the consumer or provider that was deployed')
    .requiredOption('--environment <name>', 'where to')
    .option('--version-number <version>', "its version; else the commit, on pull requests the head's")
    .option(
      '--results <file>',
      'the results.json of `check` that the version is derived from, for a provider',
    )
    .option('--application-instance <name>', 'which of several installations in the environment')
    .option('--broker-base-url <url>', 'else PACT_BROKER_BASE_URL')
    .addHelpText(
      'after',
      `
Examples
  legacy-conformance contracts record-deployment --pacticipant my-app --environment production
  legacy-conformance contracts record-deployment --pacticipant legacy-resource-api --environment production --results report/results.json
${BROKER_HELP}`,
    )
    .action(async (options: RecordDeploymentOptions) => {
      const { runRecordDeployment } = await import('../../app/broker.ts');
      process.exitCode = await runRecordDeployment(options);
    });
}

/** Options as the command line has them. */
interface RecordDeploymentOptions {
  readonly pacticipant: string;
  readonly environment: string;
  readonly versionNumber: string | undefined;
  readonly results: string | undefined;
  readonly applicationInstance: string | undefined;
  readonly brokerBaseUrl: string | undefined;
}

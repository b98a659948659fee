import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb } from './broker-verb.ts';

/** The verb `contracts record-undeployment`. */
export function recordUndeploymentCommand(): Command {
  return brokerVerb('record-undeployment')
    .description('tell the broker that a pacticipant no longer runs in an environment')
    .requiredOption('-a, --pacticipant <name>', 'the consumer or provider')
    .requiredOption('--environment <name>', 'where it ran')
    .option('--application-instance <name>', 'which of several installations in the environment')
    .addHelpText('after', BROKER_HELP)
    .action(async (options: RecordUndeploymentOptions) => {
      const { runRecordEnd } = await import('../../app/broker/ask.ts');
      process.exitCode = await runRecordEnd('deployment', { ...options, version: undefined });
    });
}

/** Options as the command line has them. */
interface RecordUndeploymentOptions extends BrokerVerbOptions {
  readonly pacticipant: string;
  readonly environment: string;
  readonly applicationInstance: string | undefined;
}

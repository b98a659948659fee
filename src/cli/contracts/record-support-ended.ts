import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb } from './broker-verb.ts';

/** The verb `contracts record-support-ended`. */
export function recordSupportEndedCommand(): Command {
  return brokerVerb('record-support-ended')
    .description('tell the broker that a released version is supported no longer')
    .requiredOption('-a, --pacticipant <name>', 'the consumer or provider')
    .requiredOption('-e, --version <version>', 'the version')
    .requiredOption('--environment <name>', 'where it was released')
    .addHelpText('after', BROKER_HELP)
    .action(async (options: RecordSupportEndedOptions) => {
      const { runRecordEnd } = await import('../../app/broker/ask.ts');
      process.exitCode = await runRecordEnd('release', { ...options, applicationInstance: undefined });
    });
}

/** Options as the command line has them. */
interface RecordSupportEndedOptions extends BrokerVerbOptions {
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: string;
}

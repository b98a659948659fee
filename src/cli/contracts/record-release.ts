import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb, type VersionOptions, versionOptions } from './broker-verb.ts';

/** The verb `contracts record-release`. */
export function recordReleaseCommand(): Command {
  return versionOptions(brokerVerb('record-release'), 'the consumer or provider that was released')
    .description('tell the broker that a version was released in an environment, beside those before it')
    .requiredOption('--environment <name>', 'where')
    .addHelpText(
      'after',
      `
For what runs in several versions at once, such as an app on telephones; what replaces the version before it is recorded with
record-deployment.
${BROKER_HELP}`,
    )
    .action(async (options: RecordReleaseOptions) => {
      const { runRecord } = await import('../../app/broker/ask.ts');
      process.exitCode = await runRecord('release', { ...options, applicationInstance: undefined });
    });
}

/** Options as the command line has them. */
interface RecordReleaseOptions extends BrokerVerbOptions, VersionOptions {
  readonly environment: string;
}

import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb } from './broker-verb.ts';

/** The verb `contracts create-or-update-pacticipant`. */
export function createOrUpdatePacticipantCommand(): Command {
  return brokerVerb('create-or-update-pacticipant')
    .description(
      'create a consumer or provider, or tell the broker more about it: its main branch first of all',
    )
    .requiredOption('--name <name>', 'its name')
    .option(
      '--main-branch <name>',
      'the branch whose pacts count as released: a selector mainBranch finds them',
    )
    .option('--display-name <text>', 'as the pages of the broker show it')
    .option('--repository-url <url>', 'address of its repository')
    .addHelpText('after', BROKER_HELP)
    .action(async (options: CreateOrUpdatePacticipantOptions) => {
      const { runCreateOrUpdatePacticipant } = await import('../../app/broker/ask.ts');
      process.exitCode = await runCreateOrUpdatePacticipant(options);
    });
}

/** Options as the command line has them. */
interface CreateOrUpdatePacticipantOptions extends BrokerVerbOptions {
  readonly name: string;
  readonly mainBranch: string | undefined;
  readonly displayName: string | undefined;
  readonly repositoryUrl: string | undefined;
}

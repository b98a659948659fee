import type { Command } from 'commander';
import { BROKER_HELP } from './broker-help.ts';
import { type BrokerVerbOptions, brokerVerb } from './broker-verb.ts';

/** The verb `contracts delete-branch`. */
export function deleteBranchCommand(): Command {
  return brokerVerb('delete-branch')
    .description(
      'delete a branch that was merged, so that its pacts are work in progress no longer; its versions stay',
    )
    .requiredOption('-a, --pacticipant <name>', 'the consumer or provider')
    .requiredOption('--branch <name>', 'the branch')
    .addHelpText('after', BROKER_HELP)
    .action(async (options: DeleteBranchOptions) => {
      const { runDeleteBranch } = await import('../../app/broker/ask.ts');
      process.exitCode = await runDeleteBranch(options);
    });
}

/** Options as the command line has them. */
interface DeleteBranchOptions extends BrokerVerbOptions {
  readonly pacticipant: string;
  readonly branch: string;
}

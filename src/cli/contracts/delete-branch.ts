import type { Command } from 'commander';
import { required } from '../option-kinds.ts';
import { brokerVerb, ON_A_BROKER, pacticipant } from './broker-verb.ts';

/** The verb `contracts delete-branch`. */
export function deleteBranchCommand(): Command {
  return brokerVerb({
    name: 'delete-branch',
    summary:
      'delete a branch that was merged, so that its pacts are work in progress no longer; its versions stay',
    options: {
      ...ON_A_BROKER,
      ...pacticipant('the consumer or provider'),
      branch: required('<name>', 'the branch'),
    },
    help: '',
    run: async (options) => {
      const { runDeleteBranch } = await import('../../app/broker/ask.ts');
      return runDeleteBranch(options);
    },
  });
}

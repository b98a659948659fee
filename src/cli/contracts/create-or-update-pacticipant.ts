import type { Command } from 'commander';
import { optional, required } from '../option-kinds.ts';
import { brokerVerb, ON_A_BROKER } from './broker-verb.ts';

/** The verb `contracts create-or-update-pacticipant`. */
export function createOrUpdatePacticipantCommand(): Command {
  return brokerVerb({
    name: 'create-or-update-pacticipant',
    summary: 'create a consumer or provider, or tell the broker more about it: its main branch first of all',
    options: {
      ...ON_A_BROKER,
      name: required('<name>', 'its name'),
      mainBranch: optional(
        '<name>',
        'the branch whose pacts count as released: a selector mainBranch finds them',
      ),
      displayName: optional('<text>', 'as the pages of the broker show it'),
      repositoryUrl: optional('<url>', 'address of its repository'),
    },
    help: '',
    run: async (options) => {
      const { runCreateOrUpdatePacticipant } = await import('../../app/broker/ask.ts');
      return runCreateOrUpdatePacticipant(options);
    },
  });
}

import type { Command } from 'commander';
import { required } from '../option-kinds.ts';
import { brokerVerb, INSTANCE, ON_A_BROKER, pacticipant } from './broker-verb.ts';

/** The verb `contracts record-undeployment`. */
export function recordUndeploymentCommand(): Command {
  return brokerVerb({
    name: 'record-undeployment',
    summary: 'tell the broker that a pacticipant no longer runs in an environment',
    options: {
      ...ON_A_BROKER,
      ...pacticipant('the consumer or provider'),
      environment: required('<name>', 'where it ran'),
      applicationInstance: INSTANCE,
    },
    help: '',
    run: async (options) => {
      const { runRecordEnd } = await import('../../app/broker/ask.ts');
      return runRecordEnd('deployment', { ...options, version: undefined });
    },
  });
}

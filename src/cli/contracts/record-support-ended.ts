import type { Command } from 'commander';
import { required } from '../option-kinds.ts';
import { brokerVerb, ON_A_BROKER, pacticipant } from './broker-verb.ts';

/** The verb `contracts record-support-ended`. */
export function recordSupportEndedCommand(): Command {
  return brokerVerb({
    name: 'record-support-ended',
    summary: 'tell the broker that a released version is supported no longer',
    options: {
      ...ON_A_BROKER,
      ...pacticipant('the consumer or provider'),
      version: { ...required('<version>', 'the version'), short: '-e' },
      environment: required('<name>', 'where it was released'),
    },
    help: '',
    run: async (options) => {
      const { runRecordEnd } = await import('../../app/broker/ask.ts');
      return runRecordEnd('release', { ...options, applicationInstance: undefined });
    },
  });
}

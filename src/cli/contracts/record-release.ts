import type { Command } from 'commander';
import { required } from '../option-kinds.ts';
import { brokerVerb, ON_A_BROKER, pacticipantVersion } from './broker-verb.ts';

/** The verb `contracts record-release`. */
export function recordReleaseCommand(): Command {
  return brokerVerb({
    name: 'record-release',
    summary: 'tell the broker that a version was released in an environment, beside those before it',
    options: {
      ...ON_A_BROKER,
      ...pacticipantVersion('the consumer or provider that was released'),
      environment: required('<name>', 'where'),
    },
    help: `
For what runs in several versions at once, such as an app on telephones; what replaces the version before it is recorded with
record-deployment.
`,
    run: async (options) => {
      const { runRecord } = await import('../../app/broker/ask.ts');
      return runRecord('release', { ...options, applicationInstance: undefined });
    },
  });
}

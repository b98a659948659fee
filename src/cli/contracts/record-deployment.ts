import type { Command } from 'commander';
import { required } from '../option-kinds.ts';
import { brokerVerb, INSTANCE, ON_A_BROKER, pacticipantVersion } from './broker-verb.ts';

/** The verb `contracts record-deployment`. */
export function recordDeploymentCommand(): Command {
  return brokerVerb({
    name: 'record-deployment',
    summary: 'tell the broker that a version now runs in an environment, in place of the one before it',
    options: {
      ...ON_A_BROKER,
      ...pacticipantVersion('the consumer or provider that was deployed'),
      environment: required('<name>', 'where to'),
      applicationInstance: INSTANCE,
    },
    help: `
With --results a version that the broker does not know is created: the first record of a service needs no pact.

Examples
  legacy-conformance contracts record-deployment --pacticipant my-app --environment production
  legacy-conformance contracts record-deployment --pacticipant legacy-resource-api --environment production --results report/results.json
`,
    run: async (options) => {
      const { runRecord } = await import('../../app/broker/ask.ts');
      return runRecord('deployment', options);
    },
  });
}

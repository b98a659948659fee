import type { Command } from 'commander';
import { flag, optional, readUsually } from '../option-kinds.ts';
import { atMost } from '../options.ts';
import { brokerVerb, ON_A_BROKER, pacticipantVersion } from './broker-verb.ts';

/** The verb `contracts can-i-deploy`. */
export function canIDeployCommand(): Command {
  return brokerVerb({
    name: 'can-i-deploy',
    summary: 'may a version be deployed to an environment? The broker knows what was verified with what',
    options: {
      ...ON_A_BROKER,
      ...pacticipantVersion('the consumer or provider to be deployed'),
      toEnvironment: optional('<name>', 'where to'),
      to: optional('<tag>', 'where to, with a broker that knows tags in place of environments'),
      retryWhileUnknown: readUsually(
        '<times>',
        'ask again while a result is missing, 100 times at most',
        atMost(100),
        0,
      ),
      retryInterval: readUsually('<seconds>', 'time between two questions, 60 at most', atMost(60), 10),
      dryRun: flag('exit 0 whatever the answer'),
    },
    help: `
Examples
  legacy-conformance contracts can-i-deploy --pacticipant my-app --to-environment production
  legacy-conformance contracts can-i-deploy -a my-app -e 1.4.0 --to-environment production --retry-while-unknown 12
`,
    run: async (options) => {
      const { runCanIDeploy } = await import('../../app/broker/ask.ts');
      return runCanIDeploy(options);
    },
  });
}

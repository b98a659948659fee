import { type Command, Option } from 'commander';
import { UsageError } from '../../../document/input/usage-error.ts';
import { optional } from '../options.ts';
import { verb } from '../verb.ts';

export const BROKER = {
  brokerBaseUrl: {
    ...optional('<url>', 'address of the broker (default: PACT_BROKER_BASE_URL)'),
    short: '-b',
  },
};

/** Pact's credential options, refused because every process can read a command line. */
const CREDENTIALS = [
  ['-k, --broker-token <token>', 'PACT_BROKER_TOKEN'],
  ['-u, --broker-username <name>', 'PACT_BROKER_USERNAME'],
  ['-p, --broker-password <password>', 'PACT_BROKER_PASSWORD'],
] as const;

export function refuseCredentials(command: Command): void {
  for (const [flags, variable] of CREDENTIALS) {
    const option = new Option(flags).hideHelp();
    command.addOption(
      option.argParser(() => {
        throw new UsageError(
          `${option.long}: set ${variable} instead; other processes can read a command line`,
        );
      }),
    );
  }
}

export const BROKER_ACCESS = `
Variables for the broker: PACT_BROKER_BASE_URL, and PACT_BROKER_TOKEN or PACT_BROKER_USERNAME with PACT_BROKER_PASSWORD.
`;

export const publishCommand = verb({
  name: 'publish',
  summary: 'publish pacts of one consumer version to a Pact Broker',
  args: [['[pact...]', 'files, or folders of .json files', ['contracts/pacts']]],
  options: {
    ...BROKER,
    consumerAppVersion: {
      ...optional(
        '<version>',
        "version of the consumer (default: the commit of the CI system or of the pacts' repository)",
      ),
      short: '-a',
    },
    branch: optional('<name>', 'branch of the consumer (default: from the CI system or the repository)'),
    target: optional(
      '<file>',
      'configuration of a live target; refuse a pact that contains one of its secrets',
    ),
    variables: optional('<file>', 'with --target: read variables from this file'),
  },
  help: `
The suite reads every file before it sends the first. It refuses files that are no pacts, two pacts of the same consumer and provider,
and pacts that contain a secret.

Examples
  legacy-conformance contracts publish
  legacy-conformance contracts publish build/pacts \\
    --consumer-app-version 1.4.0 --branch main
${BROKER_ACCESS}
Exit codes
  0  published the pacts
  1  the broker refuses a pact, because it contradicts the one of the same version
  2  wrong usage, or a file is no pact or contains a secret; the suite sent nothing
  3  the broker is not reachable or refuses the credentials, or the address is no broker
  4  the suite itself failed`,
  change: refuseCredentials,
  run: async ({ consumerAppVersion: version, ...options }, paths) => {
    if (options.variables !== undefined && options.target === undefined)
      throw new UsageError('--variables: needs --target, whose configuration names the variables');
    const { runPublish } = await import('../../broker/publish.ts');
    return runPublish({ ...options, paths, version });
  },
});

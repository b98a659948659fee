import { type Command, Option } from 'commander';
import { UsageError } from '../../input/usage-error.ts';
import { optional } from '../option-kinds.ts';

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

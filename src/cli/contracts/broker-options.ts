import { type Command, Option } from 'commander';
import { UsageError } from '../../input/usage-error.ts';
import { optional } from '../option-kinds.ts';

/** The option that says which broker. */
export const BROKER = { brokerBaseUrl: { ...optional('<url>', 'else PACT_BROKER_BASE_URL'), short: '-b' } };

/** Pact's names for what must not be given there: every process of the machine can read a command line. */
const CREDENTIALS = [
  ['-k, --broker-token <token>', 'PACT_BROKER_TOKEN'],
  ['-u, --broker-username <name>', 'PACT_BROKER_USERNAME'],
  ['-p, --broker-password <password>', 'PACT_BROKER_PASSWORD'],
] as const;

/** Options of a verb that asks a broker, whose values may not stand on a command line. */
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

/** How the help says where the address and the credentials come from. */
export const BROKER_ACCESS = `
Access to a broker by environment: PACT_BROKER_BASE_URL, and PACT_BROKER_TOKEN or PACT_BROKER_USERNAME with
PACT_BROKER_PASSWORD.
`;

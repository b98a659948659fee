import { type Command, Option } from 'commander';
import { UsageError } from '../../input/usage-error.ts';
import { optional, required, usuallyOneOf } from '../option-kinds.ts';
import { type Declaration, type Options, verb } from '../verb.ts';
import { BROKER_HELP } from './broker-help.ts';

/** The option that says which broker. */
export const BROKER = { brokerBaseUrl: { ...optional('<url>', 'else PACT_BROKER_BASE_URL'), short: '-b' } };

/** Options of every verb that asks a broker. They have the names of Pact's own programs; those that this project had before go on working. */
export const ON_A_BROKER = {
  ...BROKER,
  output: {
    ...usuallyOneOf(
      '<format>',
      'json: what the broker answered, on standard output',
      ['text', 'table', 'json'],
      'text',
    ),
    short: '-o',
  },
};

/** A verb that asks a broker: its access and exit codes are the end of its help. */
export function brokerVerb<const O extends Options>(declared: Declaration<O>): Command {
  return verb({ ...declared, change: refuseCredentials, help: `${declared.help}${BROKER_HELP}` });
}

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

/** Whom a verb is about. */
export function pacticipant(text: string) {
  return { pacticipant: { ...required('<name>', text), short: '-a' } };
}

/** Whom a verb is about, and the version of it that is meant. */
export function pacticipantVersion(text: string) {
  return {
    ...pacticipant(text),
    version: {
      ...optional('<version>', "its version; else the commit, on pull requests the head's"),
      short: '-e',
      also: ['--version-number'],
    },
    results: optional(
      '<file>',
      'the results.json of `check` that the version is derived from, for a provider',
    ),
  };
}

/** Where a version runs. */
export const INSTANCE = optional('<name>', 'which of several installations in the environment');

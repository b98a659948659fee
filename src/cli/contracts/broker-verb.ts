import { Command, Option } from 'commander';
import { UsageError } from '../usage-error.ts';

/** What every verb that asks a broker takes besides its own options. */
export interface BrokerVerbOptions {
  readonly brokerBaseUrl: string | undefined;
  readonly output: 'text' | 'json';
}

/** A verb that asks a broker. Options have the names of Pact's own programs; those that this project had before go on working. */
export function brokerVerb(name: string): Command {
  return brokerOptions(new Command(name)).addOption(
    new Option('-o, --output <format>', 'json: what the broker answered, on standard output')
      .choices(['text', 'table', 'json'])
      .default('text'),
  );
}

/** The options that say which broker. */
export function brokerOptions(command: Command): Command {
  command.option('-b, --broker-base-url <url>', 'else PACT_BROKER_BASE_URL');
  for (const [flags, variable] of CREDENTIALS) {
    command.addOption(new Option(flags).hideHelp().argParser(() => refuseCredentials(flags, variable)));
  }
  return command;
}

/** Pact's names for what must not be given there: every process of the machine can read a command line. */
const CREDENTIALS = [
  ['-k, --broker-token <token>', 'PACT_BROKER_TOKEN'],
  ['-u, --broker-username <name>', 'PACT_BROKER_USERNAME'],
  ['-p, --broker-password <password>', 'PACT_BROKER_PASSWORD'],
] as const;

function refuseCredentials(flags: string, variable: string): never {
  const name = /--[a-z-]+/.exec(flags)?.[0];
  throw new UsageError(`${name}: set ${variable} instead; other processes can read a command line`);
}

/** `--pacticipant`, and the version of it that is meant. */
export function versionOptions(command: Command, what: string): Command {
  command
    .requiredOption('-a, --pacticipant <name>', what)
    .option('-e, --version <version>', "its version; else the commit, on pull requests the head's")
    .option(
      '--results <file>',
      'the results.json of `check` that the version is derived from, for a provider',
    );
  return also(command, '--version-number <version>', 'version');
}

/** What {@link versionOptions} give. */
export interface VersionOptions {
  readonly pacticipant: string;
  readonly version: string | undefined;
  readonly results: string | undefined;
}

/**
 * Another name of an option: not in the help, the same value. Both with different values are refused.
 *
 * @param flags as commander has them
 * @param attribute of the option that it stands for
 * @param read how its value is read, where that is more than a text
 */
export function also<T>(
  command: Command,
  flags: string,
  attribute: string,
  read?: (value: string, before?: T) => T,
): Command {
  const option = new Option(flags).hideHelp();
  if (read !== undefined) option.argParser(read);
  return command.addOption(option).hook('preAction', () => {
    const given: unknown = command.getOptionValue(option.attributeName());
    if (given === undefined) return;
    const other: unknown = command.getOptionValue(attribute);
    if (command.getOptionValueSource(attribute) === 'cli' && other !== given)
      throw new UsageError(`${option.long}: the same option was given another value under another name`);
    command.setOptionValueWithSource(attribute, given, 'cli');
  });
}

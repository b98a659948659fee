import { Command, Option } from 'commander';
import { UsageError } from '../input/usage-error.ts';
import type { ExitCode } from '../report/verdict.ts';

/**
 * A verb is declared once: what a user may write, what the help says of it, and the type of what its work gets all come from the same table. An option's name
 * is the key it stands under: `waitExpiry` is `--wait-expiry`.
 */

/** One option, whose value is a `T`. Made by the functions of `option-kinds.ts`. */
export interface OptionOf<T> {
  /** `<file>`, or `[port]` where it may stand without; absent for a flag. */
  readonly value?: string;
  readonly text: string;
  /** Reads what was written; `before` is what an earlier one of the same name came to, or the default. */
  readonly read?: (written: string, before: T) => T;
  readonly byDefault?: T;
  readonly required?: boolean;
  /** `-a`. */
  readonly short?: string;
  /** Other names, with the same value, not in the help: `-e, --version`. */
  readonly also?: readonly string[];
  readonly choices?: readonly string[];
  readonly conflictsWith?: string;
  readonly hidden?: boolean;
}

/** Options by the key that their values stand under. */
// biome-ignore lint/suspicious/noExplicitAny: each option has a type of its own
export type Options = Readonly<Record<string, OptionOf<any>>>;

export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]: O[K] extends OptionOf<infer T> ? T : never;
};

/** A verb, as it is declared. */
export interface Declaration<O extends Options> {
  readonly name: string;
  /** One line of the help of all verbs. */
  readonly summary: string;
  readonly args?: readonly (readonly [name: string, text: string, byDefault?: readonly string[]])[];
  readonly options: O;
  /** What the help says after the options: explanations, examples, exit codes. */
  readonly help: string;
  /** Options that a table cannot hold. */
  readonly change?: (command: Command) => void;
  /** Does it. Loads what it works with only now: each verb waits for no other. */
  readonly run: (values: ValuesOf<O>, args: readonly string[]) => Promise<ExitCode>;
}

/** The command of a verb. It leaves the exit code of its work in the process. */
export function verb<const O extends Options>(declared: Declaration<O>): Command {
  const command = new Command(declared.name).description(declared.summary);
  for (const [name, text, byDefault] of declared.args ?? []) command.argument(name, text, byDefault);
  for (const [key, option] of Object.entries(declared.options)) addOption(command, key, option);
  declared.change?.(command);
  if (declared.help !== '') command.addHelpText('after', declared.help);
  return command.action(async (...given: unknown[]) => {
    const values = given.at(-2) as ValuesOf<O> & { readonly envFile?: string };
    await readEnvFile(values.envFile);
    process.exitCode = await declared.run(values, given.slice(0, -2).flat() as string[]);
  });
}

function addOption(command: Command, key: string, declared: OptionOf<unknown>): void {
  const long = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const names = declared.short === undefined ? long : `${declared.short}, ${long}`;
  const written = declared.value === undefined ? '' : ` ${declared.value}`;
  const option = new Option(`${names}${written}`, declared.text);
  // `--no-pending` is a flag like any other: its value stands under its key, true where it is given.
  option.negate = false;
  if (declared.byDefault !== undefined) option.default(declared.byDefault);
  if (declared.read !== undefined) option.argParser(declared.read);
  if (declared.choices !== undefined) option.choices(declared.choices);
  if (declared.required) option.makeOptionMandatory();
  if (declared.conflictsWith !== undefined) option.conflicts(declared.conflictsWith);
  if (declared.hidden) option.hideHelp();
  command.addOption(option);
  for (const other of declared.also ?? []) addOther(command, `${other}${written}`, key, declared);
}

/** Another name of an option. Both with different values are refused. */
function addOther(command: Command, flags: string, key: string, { read }: OptionOf<unknown>): void {
  const option = new Option(flags).hideHelp();
  if (read !== undefined) option.argParser(read);
  command.addOption(option).hook('preAction', () => {
    const given: unknown = command.getOptionValue(option.attributeName());
    if (given === undefined) return;
    if (command.getOptionValueSource(key) === 'cli' && command.getOptionValue(key) !== given)
      throw new UsageError(`${option.long}: the same option was given another value under another name`);
    command.setOptionValueWithSource(key, given, 'cli');
  });
}

/** Adds the file's variables to the environment, which the run's processes inherit; what is set already stays. */
async function readEnvFile(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const { withEnvFile } = await import('../config/env-file.ts');
  Object.assign(process.env, await withEnvFile(file, process.env));
}

/** The exit codes, as every verb's help prints them. */
export const EXIT_CODES = `
Exit codes
  0  conforms      every selected, applicable documented requirement passed, or is a known deviation
  1  violates      a documented requirement failed (with --strict: or a warning), or a finding, such as
                   a known deviation that is stale or past its date
  2                wrong usage or configuration, or no browser; nothing was sent
  3  inconclusive  the target could not be evaluated: not reachable, sign-in failed, throttled, not run
  4  broken        the suite itself failed, or a secret was found in what would have been written`;

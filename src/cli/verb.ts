import { Command, Help, Option } from 'commander';
import { print, printJson } from '../commands/shared/print.ts';
import { programName } from '../document/input/program-name.ts';
import { UsageError } from '../document/input/usage-error.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';

/**
 * A verb is declared once: options, help and value types come from one table. The key names the option: `waitExpiry` is
 * `--wait-expiry`.
 */

export interface OptionOf<T> {
  readonly value?: string;
  readonly text: string;
  readonly read?: (written: string, before: T) => T;
  readonly byDefault?: T;
  readonly required?: boolean;
  /** The verb's last argument may give the value in place of the option. */
  readonly orArgument?: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  /** Keys of options that exclude this one. */
  readonly conflictsWith?: string | readonly string[];
  /** Key of an option without which this one says nothing. */
  readonly needs?: string;
  readonly hidden?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: each option has a type of its own
type Options = Readonly<Record<string, OptionOf<any>>>;

export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]: O[K] extends OptionOf<infer T> ? T : never;
};

export interface Declaration<O extends Options> {
  readonly name: string;
  readonly summary: string;
  readonly args?: readonly (readonly [name: string, text: string, byDefault?: readonly string[]])[];
  readonly options: O;
  readonly help?: string;
  readonly run: (values: ValuesOf<O>, args: readonly string[]) => Promise<ExitCode>;
}

export function verb<const O extends Options>(declared: Declaration<O>): () => Command {
  return () => {
    const command = new Command(declared.name)
      .description(declared.summary)
      .configureHelp({ optionDescription, minWidthToWrap: NARROWEST });
    for (const [name, text, byDefault] of declared.args ?? []) command.argument(name, text, byDefault);
    for (const [key, option] of Object.entries(declared.options)) addOption(command, key, option);
    const { orArgument } = declared.options.target ?? {};
    if (orArgument !== undefined) command.argument('[file]', orArgument);
    // Examples begin as the user began this command.
    const help = wrappedHelp(declared.help ?? '').replaceAll(
      /^ {2}legacy-conformance(?= )/gm,
      `  ${programName()}`,
    );
    if (help !== '') command.addHelpText('after', help);
    return command.action(async (...given: unknown[]) => {
      const values = given.at(-2) as ValuesOf<O> & { readonly variables?: string; target?: string };
      const args = given.slice(0, -2).flat() as string[];
      const isGiven = (key: string) => command.getOptionValueSource(key) === 'cli';
      for (const [key, { needs }] of Object.entries(declared.options))
        if (needs !== undefined && isGiven(key) && !isGiven(needs))
          throw new UsageError(`${longName(key)}: needs ${longName(needs)}`);
      if (orArgument !== undefined) {
        const [written, file] = [isGiven('target') ? values.target : undefined, args.pop()];
        if (file && written && file !== written)
          throw new UsageError(`expected one configuration, got ${file} and ${written}: name one of them`);
        values.target = file ?? values.target;
        if (!values.target)
          throw new UsageError(
            `${declared.name}: expected the configuration file of a live target, as argument or --target`,
          );
      }
      await readVariables(values.variables);
      process.exitCode = await declared.run(values, args);
    });
  };
}

type NoOptions = Readonly<Record<never, never>>;

interface ListDeclaration extends Omit<Declaration<NoOptions>, 'options' | 'run'> {
  readonly list: (args: readonly string[]) => Promise<{ readonly text: string; readonly json: unknown }>;
}

/** Declares a verb that prints a list as a text, or with `--json` its data. */
export function listVerb({ list, ...declared }: ListDeclaration): () => Command {
  return verb({
    ...declared,
    options: { json: { text: 'print JSON', byDefault: false } },
    run: async (options, args) => {
      const { text, json } = await list(args);
      options.json ? printJson(json) : print(text);
      return EXIT.conforms;
    },
  });
}

/** Leaves out the default of a flag, and of a list that is empty. */
function optionDescription(option: Option): string {
  const { defaultValue: value } = option;
  const none = value === false || (Array.isArray(value) && value.length === 0);
  return none ? option.description : new Help().optionDescription(option);
}

function longName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function addOption(command: Command, key: string, declared: OptionOf<unknown>): void {
  const long = longName(key);
  const names = declared.short === undefined ? long : `${declared.short}, ${long}`;
  const written = declared.value === undefined ? '' : ` ${declared.value}`;
  const option = new Option(`${names}${written}`, declared.text);
  // `--no-pending` is an ordinary flag: its key is true if the option is present.
  option.negate = false;
  if (declared.byDefault !== undefined) option.default(declared.byDefault);
  if (declared.read !== undefined) option.argParser(declared.read);
  if (declared.choices !== undefined) option.choices(declared.choices);
  if (declared.required) option.makeOptionMandatory();
  if (declared.conflictsWith !== undefined) option.conflicts([declared.conflictsWith].flat());
  if (declared.hidden) option.hideHelp();
  command.addOption(option);
}

/** Adds the file's variables to the environment, which child processes inherit. Existing variables win. */
async function readVariables(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const { withEnvFile } = await import('../service/configuration/resolve-references.ts');
  Object.assign(process.env, await withEnvFile(file, process.env));
}

export const EXIT_CODES = `
Exit codes
  0  conforms      every selected, applicable documented requirement passed, or is a known deviation
  1  violates      a documented requirement failed (with --strict: or warned), or a known deviation is stale or past its date
  2                wrong usage or configuration, or no browser; the suite sent nothing
  3  inconclusive  the suite could not evaluate the target: not reachable, sign-in failed, throttled, or something did not run
  4  broken        the suite itself failed, or found a secret in what it was about to write`;

const WIDTH = 80;

/** Narrower columns stay unwrapped. */
const NARROWEST = 24;

/**
 * Fills a help text to 80 columns. Lines without indentation are one paragraph; an indented line continues below its last column, which
 * two spaces begin.
 */
export function wrappedHelp(text: string): string {
  return text
    .replaceAll(/(?<=^\S.*)\n(?=\S)/gm, ' ')
    .split('\n')
    .map(fillLine)
    .join('\n');
}

function fillLine(line: string): string {
  if (line.length <= WIDTH) return line;
  const column = line.lastIndexOf('  ') < 0 ? 0 : line.lastIndexOf('  ') + 2;
  const help = Object.assign(new Help(), { minWidthToWrap: NARROWEST });
  const rows = help.boxWrap(line.slice(column), WIDTH - column).split('\n');
  return rows
    .map((row, index) => (index === 0 ? line.slice(0, column) : ' '.repeat(column)) + row)
    .join('\n');
}

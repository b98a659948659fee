import { InvalidArgumentError } from 'commander';
import { UsageError } from '../document/input/usage-error.ts';
import type { OptionOf } from './verb.ts';

export function wholeNumber(value: string): number {
  return between(1, Number.MAX_SAFE_INTEGER)(value);
}

export function between(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d{1,16}$/.test(value) && number >= least && number <= most) return number;
    const limit = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
    throw new InvalidArgumentError(`Expected a whole number from ${least}${limit}.`);
  };
}

export const port = between(0, 65_535);

/** Reads a name as a broker takes it. */
export function singleLine(value: string): string {
  if (value !== '' && value.trim() === value && !/[\r\n]/.test(value)) return value;
  throw new InvalidArgumentError('Expected a text on one line without blanks around it.');
}

export function day(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new InvalidArgumentError('Expected a day such as 2027-01-31.');
}

/**
 * Reads a secret that an option names: `env:NAME` is the value of that variable. Refuses a literal secret, because every user of
 * the machine can read command lines.
 *
 * @throws UsageError for a literal, a missing variable or a value that is too short
 */
export function secretOption(option: string, value: string, env: NodeJS.ProcessEnv): string {
  const [, name] = /^env:(.*)$/s.exec(value) ?? [];
  if (name === undefined) {
    throw new UsageError(
      `${option}: expected env:NAME, the variable that holds it, got the value itself, which every user of this machine can read; nothing was started`,
    );
  }
  const held = Object.hasOwn(env, name) ? env[name] : undefined;
  if (held !== undefined && held.trim().length >= SHORTEST_TOKEN) return held;
  if (held === undefined)
    throw new UsageError(`${option}: there is no variable ${name}; set it; nothing was started`);
  throw new UsageError(
    `${option}: expected ${SHORTEST_TOKEN} characters or more, got ${held.trim().length} of them; nothing was started`,
  );
}

/** Shorter tokens can be guessed by brute force. */
const SHORTEST_TOKEN = 8;

export function flag(text: string): OptionOf<boolean> {
  return { text, byDefault: false };
}

type More = Pick<OptionOf<unknown>, 'conflictsWith' | 'needs' | 'short'>;

export function optional(value: string, text: string, more?: More): OptionOf<string | undefined> {
  return { value, text, ...more };
}

export function withDefault(value: string, text: string, byDefault: string): OptionOf<string> {
  return { value, text, byDefault };
}

export function collected(value: string, text: string): OptionOf<readonly string[]> {
  const list = (written: string) => written.split(',').flatMap((one) => one.trim() || []);
  return { value, text, read: (written, before = []) => [...before, ...list(written)], byDefault: [] };
}

export function repeatedOption(value: string, text: string, more?: More): OptionOf<readonly string[]> {
  return { value, text, read: (written, before = []) => [...before, written], byDefault: [], ...more };
}

export function parsed<T>(
  value: string,
  text: string,
  reader: (written: string) => T,
  more?: More,
): OptionOf<T | undefined> {
  return { value, text, read: reader, ...more };
}

export function oneOf<const W extends string>(
  value: string,
  text: string,
  choices: readonly W[],
): OptionOf<W | undefined> {
  return { value, text, choices };
}

const variables = optional(
  '<file>',
  'read variables from this file; the environment has precedence, and `.env` beside the configuration comes last',
);

const orArgument = 'configuration of the target, as with --target';

function targetOption(value: string, text: string, byDefault?: string): OptionOf<string> {
  return { value, text, byDefault, orArgument };
}

export const ON_TARGET = {
  target: targetOption(
    '<emulator|file>',
    '`emulator`, or the configuration file of a live target',
    'emulator',
  ),
  variables,
  profile: optional('<id>', 'profile of the emulator: an id or a file (default: doorkeeper-5)'),
} as const;

export const ON_LIVE_TARGET = {
  target: targetOption('<file>', 'the configuration file of a live target'),
  variables,
} as const;

/** Each verb has a folder of its own, so that none overwrites the report of another. */
export function reportOf(verb: string, text = 'write the report to this folder'): OptionOf<string> {
  return withDefault('<dir>', text, `report/${verb}`);
}

export function assignedBy(verb: string): OptionOf<string> {
  return reportOf(verb, 'folder for the list of users that the run assigns, which `sweep --report` reads');
}

export const DEFECT = collected('<ids>', 'switch on these defects of the emulator (ids with commas)');

export const QUIET = flag('print only the verdict and its reasons');

export const VERBOSE = flag(
  'print each request on standard error (method, path, status, milliseconds), and every detail of the results',
);

export const JSON_RESULTS: OptionOf<boolean> = {
  ...flag('print results.json on standard output, and everything else on standard error'),
  conflictsWith: 'quiet',
};

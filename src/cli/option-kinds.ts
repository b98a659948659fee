import { collect, list } from './options.ts';
import type { OptionOf } from './verb.ts';

/** The kinds of options that verbs have; the type of each says what its value is. */

/** There or not. */
export function flag(text: string): OptionOf<boolean> {
  return { text, byDefault: false };
}

/** What was written; undefined when left out. */
export function optional(value: string, text: string): OptionOf<string | undefined> {
  return { value, text };
}

export function usually(value: string, text: string, byDefault: string): OptionOf<string> {
  return { value, text, byDefault };
}

export function required(value: string, text: string): OptionOf<string> {
  return { value, text, required: true };
}

/** What stands between commas; what is given last counts. */
export function listed(value: string, text: string): OptionOf<readonly string[]> {
  return { value, text, read: list, byDefault: [] };
}

export function collected(value: string, text: string): OptionOf<readonly string[]> {
  return { value, text, read: collect, byDefault: [] };
}

/** One for each time that it is given, commas and all. */
export function repeated(value: string, text: string): OptionOf<readonly string[]> {
  return { value, text, read: (written, before = []) => [...before, written], byDefault: [] };
}

/** What a function makes of it; undefined when left out. */
export function read<T>(
  value: string,
  text: string,
  reader: (written: string) => T,
): OptionOf<T | undefined> {
  return { value, text, read: reader };
}

export function readUsually<T>(
  value: string,
  text: string,
  reader: (written: string) => T,
  byDefault: T,
): OptionOf<T> {
  return { value, text, read: reader, byDefault };
}

/** One of a few words; undefined when left out. */
export function oneOf<const W extends string>(
  value: string,
  text: string,
  choices: readonly W[],
): OptionOf<W | undefined> {
  return { value, text, choices };
}

/** One of a few words, else the default. */
export function usuallyOneOf<const W extends string>(
  value: string,
  text: string,
  choices: readonly W[],
  byDefault: NoInfer<W>,
): OptionOf<W> {
  return { value, text, choices, byDefault };
}

const envFile = optional(
  '<file>',
  'variables that the configuration names and the environment does not set; they count more than those of `.env` beside the configuration',
);

/** Options of a verb that works on the emulator or on a live target. */
export const ON_TARGET = {
  target: usually('<emulator|file>', 'the emulator, or the configuration file of a live target', 'emulator'),
  envFile,
  profile: usually('<id>', "the emulator's profile, or the file of one", 'doorkeeper-5'),
} as const;

/** Options of a verb that works on a live target alone. */
export const ON_LIVE_TARGET = {
  target: required('<file>', 'the configuration file of a live target'),
  envFile,
} as const;

/** The option of a verb that assigns users and writes no report. */
export const ASSIGNED_IN = usually(
  '<dir>',
  'on a live target: the folder that keeps whom the run has assigned, for `sweep --report`',
  'report',
);

/** The option of a verb that may switch defects on. */
export const DEFECT = listed('<ids>', 'defects of the emulator to switch on, separated by commas');

/** The option of a verb that ends with a verdict. */
export const QUIET = flag('print the verdict and its reasons alone');

/** The option of a verb that sends many requests. */
export const VERBOSE = flag(
  'print each request as it goes, on standard error: method, path, status, milliseconds; no query, no body, no secret',
);

/** The option of a verb that writes a `results.json`. */
export const JSON_RESULTS = flag(
  'print what results.json holds on standard output, and all else on standard error',
);

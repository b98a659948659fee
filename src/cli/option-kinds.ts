import { collect, list } from './options.ts';
import type { OptionOf } from './verb.ts';

export function flag(text: string): OptionOf<boolean> {
  return { text, byDefault: false };
}

export function optional(value: string, text: string): OptionOf<string | undefined> {
  return { value, text };
}

export function usually(value: string, text: string, byDefault: string): OptionOf<string> {
  return { value, text, byDefault };
}

export function required(value: string, text: string): OptionOf<string> {
  return { value, text, required: true };
}

export function listed(value: string, text: string): OptionOf<readonly string[]> {
  return { value, text, read: list, byDefault: [] };
}

export function collected(value: string, text: string): OptionOf<readonly string[]> {
  return { value, text, read: collect, byDefault: [] };
}

export function repeated(value: string, text: string): OptionOf<readonly string[]> {
  return { value, text, read: (written, before = []) => [...before, written], byDefault: [] };
}

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

export function oneOf<const W extends string>(
  value: string,
  text: string,
  choices: readonly W[],
): OptionOf<W | undefined> {
  return { value, text, choices };
}

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
  'read variables from this file; the environment has precedence, and `.env` beside the configuration comes last',
);

export const ON_TARGET = {
  target: usually('<emulator|file>', '`emulator`, or the configuration file of a live target', 'emulator'),
  envFile,
  profile: usually('<id>', 'profile of the emulator: an id or a file', 'doorkeeper-5'),
} as const;

export const ON_LIVE_TARGET = {
  target: required('<file>', 'the configuration file of a live target'),
  envFile,
} as const;

export const ASSIGNED_IN = usually(
  '<dir>',
  'folder for the list of users that the run assigns, which `sweep --report` reads',
  'report',
);

export const DEFECT = listed('<ids>', 'switch on these defects of the emulator (ids, separated by commas)');

export const QUIET = flag('print only the verdict and its reasons');

export const VERBOSE = flag('print each request on standard error: method, path, status, milliseconds');

export const JSON_RESULTS = flag(
  'print results.json on standard output, and everything else on standard error',
);

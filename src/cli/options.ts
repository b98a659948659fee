import { Command, InvalidArgumentError } from 'commander';

/** @returns the port, from 0 (any) to 65535 */
export function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  }
  return number;
}

/** @returns what stands between the commas, without blanks */
export function list(value: string): string[] {
  return value
    .split(',')
    .map((s) => s.trim())
    .filter((s) => s !== '');
}

/** For options that may be given more than once: everything so far and this. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, ...list(value)];
}

/** @returns a whole number from 1 */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) {
    throw new InvalidArgumentError('Expected a whole number from 1.');
  }
  return number;
}

/** @returns reads a whole number from 0 to `most` */
export function atMost(most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < 0 || number > most) {
      throw new InvalidArgumentError(`Expected a whole number from 0 to ${most}.`);
    }
    return number;
  };
}

/** Adds the file's variables to the environment, which the run's processes inherit; what is set already stays. */
export async function readEnvFile(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const { withEnvFile } = await import('../config/env-file.ts');
  Object.assign(process.env, await withEnvFile(file, process.env));
}

const ENV_FILE = [
  '--env-file <file>',
  'variables that the configuration names and the environment does not set',
] as const;

/** A verb that works on the emulator or on a live target, with the options that say on which. */
export function verbOnTarget(name: string): Command {
  return new Command(name)
    .option(
      '--target <emulator|file>',
      'the emulator, or the configuration file of a live target',
      'emulator',
    )
    .option(...ENV_FILE)
    .option('--profile <id>', "the emulator's profile, or the file of one", 'doorkeeper-5');
}

/** A verb that works on a live target alone. */
export function verbOnLiveTarget(name: string): Command {
  return new Command(name)
    .requiredOption('--target <file>', 'the configuration file of a live target')
    .option(...ENV_FILE);
}

import { InvalidArgumentError } from 'commander';
import { UsageError } from '../input/usage-error.ts';

/** @returns the port, from 0 (any) to 65535 */
export function port(value: string): number {
  const number = digits(value);
  if (number === undefined || number > 65_535) {
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

/** @returns a whole number from 1 that numbers can say exactly */
export function wholeNumber(value: string): number {
  return between(1, Number.MAX_SAFE_INTEGER)(value);
}

/** @returns reads a whole number from 0 to `most` */
export function atMost(most: number): (value: string) => number {
  return between(0, most);
}

/** @returns reads a whole number from `least` to `most` */
export function between(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = digits(value);
    if (number !== undefined && number >= least && number <= most) return number;
    const limit = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
    throw new InvalidArgumentError(`Expected a whole number from ${least}${limit}.`);
  };
}

/** What the digits of a text say; undefined for any other text, the empty one included. */
function digits(value: string): number | undefined {
  return /^\d{1,16}$/.test(value) ? Number(value) : undefined;
}

/**
 * Reads a secret that an option names: `env:NAME` is what that variable holds. A value written out is refused: every user of the machine can
 * read command lines.
 *
 * @throws UsageError when it is written out, when there is no such variable, or what it holds is too short to keep anybody out
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
  const came = held === undefined ? 'no such variable' : `${held.trim().length} of them`;
  throw new UsageError(
    `${option}: expected ${SHORTEST_TOKEN} characters or more, got ${came}; nothing was started`,
  );
}

/** Fewer characters can be tried out. */
const SHORTEST_TOKEN = 8;

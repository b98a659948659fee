import { InvalidArgumentError } from 'commander';
import { UsageError } from '../input/usage-error.ts';

export function port(value: string): number {
  const number = digits(value);
  if (number === undefined || number > 65_535) {
    throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  }
  return number;
}

export function list(value: string): string[] {
  return value
    .split(',')
    .map((s) => s.trim())
    .filter((s) => s !== '');
}

export function collect(value: string, before: readonly string[]): string[] {
  return [...before, ...list(value)];
}

export function wholeNumber(value: string): number {
  return between(1, Number.MAX_SAFE_INTEGER)(value);
}

export function atMost(most: number): (value: string) => number {
  return between(0, most);
}

export function between(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = digits(value);
    if (number !== undefined && number >= least && number <= most) return number;
    const limit = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
    throw new InvalidArgumentError(`Expected a whole number from ${least}${limit}.`);
  };
}

function digits(value: string): number | undefined {
  return /^\d{1,16}$/.test(value) ? Number(value) : undefined;
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
  const came = held === undefined ? 'no such variable' : `${held.trim().length} of them`;
  throw new UsageError(
    `${option}: expected ${SHORTEST_TOKEN} characters or more, got ${came}; nothing was started`,
  );
}

/** Shorter tokens can be guessed by brute force. */
const SHORTEST_TOKEN = 8;

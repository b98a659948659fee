import { didYouMean } from './usage-error.ts';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'function';

/** The type of each option; for some, either of two. */
export type KindsOf<Options> = Readonly<Record<keyof Options, Kind | `${Kind} or ${Kind}`>>;

/**
 * Requires known options of the right type, for callers in plain JavaScript.
 *
 * @param where names the function in the message
 * @throws TypeError with the option and its type
 */
export function requireKinds<Options extends object>(
  where: string,
  options: Options,
  kinds: KindsOf<Options>,
): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${where}: expected an object with options, got ${JSON.stringify(options)}`);
  const known = Object.keys(kinds);
  for (const [name, value] of Object.entries(options)) {
    const allowed = kinds[name as keyof Options];
    if (allowed === undefined) {
      const meant = didYouMean(name, known);
      throw new TypeError(`${where}: expected one of ${known.join(', ')}, got the option ${name}.${meant}`);
    }
    if (value !== undefined && !allowed.split(' or ').includes(typeof value))
      throw new TypeError(`${where}: expected ${name} of type ${allowed}, got ${typeof value}`);
  }
}

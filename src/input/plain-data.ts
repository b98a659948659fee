/** What somebody's file or module holds cannot be used as data. The message completes "got …" and quotes nothing of it. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/** Deeper than anything that a person writes, and far from where the stack ends. */
const DEEPEST = 200;

/** More values than any file of ours has. */
const MOST_VALUES = 2_000_000;

/**
 * A copy of a value that is data alone: what modules export and what parsers make of aliases may be cyclic, endless, or run code
 * whenever it is looked at. Functions and symbols stay as they are, for a schema to refuse.
 *
 * @throws NotPlain when it is cyclic, too deep, too large, or cannot be read
 */
export function plainData(value: unknown): unknown {
  const around = new Set<object>();
  let count = 0;
  const copy = (from: unknown, where: string): unknown => {
    count += 1;
    if (count > MOST_VALUES) throw new NotPlain(`more than ${MOST_VALUES} values`);
    if (typeof from !== 'object' || from === null) return from;
    if (around.has(from)) throw new NotPlain(`a value that contains itself${where}`);
    if (around.size >= DEEPEST) throw new NotPlain(`values nested more than ${DEEPEST} deep`);
    around.add(from);
    const made = Array.isArray(from)
      ? Array.from({ length: lengthOf(from, where) }, (_, index) => copy(read(from, index, where), where))
      : Object.fromEntries(keysOf(from, where).map((key) => [key, copy(read(from, key, at(key)), at(key))]));
    around.delete(from);
    return made;
  };
  return copy(value, '');
}

/** Only names of the alphabet are told: a key may be anything. */
function at(key: string): string {
  return /^[\w.-]{1,40}$/.test(key) ? ` (at ${key})` : '';
}

function lengthOf(list: readonly unknown[], where: string): number {
  const length = attempt(() => list.length, where);
  if (length > MOST_VALUES) throw new NotPlain(`more than ${MOST_VALUES} values${where}`);
  return length;
}

function keysOf(from: object, where: string): readonly string[] {
  return attempt(() => Object.keys(from), where);
}

function read(from: object, key: string | number, where: string): unknown {
  return attempt(() => (from as Record<string | number, unknown>)[key], where);
}

/** Getters and proxies run code, and code throws. */
function attempt<T>(look: () => T, where: string): T {
  try {
    return look();
  } catch {
    throw new NotPlain(`a value that throws when it is read${where}`);
  }
}

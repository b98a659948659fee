export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/** Far deeper than hand-written data, and safe for the stack. */
const DEEPEST = 200;

/** Far more values than people write or the suite's own files have. */
const MOST_VALUES = 2_000_000;

/**
 * Copies a value as plain data: exports of modules and YAML aliases may be cyclic, endless, or run code when read. Keeps
 * functions and symbols, so that a schema can refuse them.
 *
 * @param most limit of values
 * @throws NotPlain if it is cyclic, too deep, too large, or unreadable
 */
export function plainData(value: unknown, most = MOST_VALUES): unknown {
  const around = new Set<object>();
  let count = 0;
  const copy = (from: unknown, where: string): unknown => {
    count += 1;
    if (count > most) throw new NotPlain(`more than ${most} values`);
    if (typeof from === 'bigint') throw new NotPlain(`a bigint${where}`);
    if (typeof from !== 'object' || from === null) return from;
    if (around.has(from)) throw new NotPlain(`a value that contains itself${where}`);
    if (around.size >= DEEPEST) throw new NotPlain(`values nested more than ${DEEPEST} deep`);
    around.add(from);
    const made = Array.isArray(from)
      ? Array.from({ length: lengthOf(from, most, where) }, (_, index) =>
          copy(read(from, index, where), where),
        )
      : Object.fromEntries(
          keysOf(from, most, where).map((key) => [key, copy(read(from, key, at(key)), at(key))]),
        );
    around.delete(from);
    return made;
  };
  return copy(value, '');
}

function at(key: string): string {
  return /^[\w.-]{1,40}$/.test(key) ? ` (at ${key})` : '';
}

function lengthOf(list: readonly unknown[], most: number, where: string): number {
  return atMost(
    most,
    attempt(() => list.length, where),
  );
}

function keysOf(from: object, most: number, where: string): readonly string[] {
  const keys = attempt(() => Object.keys(from), where);
  atMost(most, keys.length);
  return keys;
}

function atMost(most: number, count: number): number {
  if (count > most) throw new NotPlain(`more than ${most} values`);
  return count;
}

function read(from: object, key: string | number, where: string): unknown {
  return attempt(() => (from as Record<string | number, unknown>)[key], where);
}

/** Guards against getters and proxies, which run code that may throw. */
function attempt<T>(look: () => T, where: string): T {
  try {
    return look();
  } catch {
    throw new NotPlain(`a value that throws when it is read${where}`);
  }
}

export function parseJson(text: string, most?: number): unknown {
  let value: unknown;
  try {
    // Editors on Windows begin a file with a byte order mark, which is no JSON.
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const [place = ''] = /\(line \d+ column \d+\)/.exec((error as Error).message) ?? [];
    throw new NotPlain(text.trim() === '' ? 'an empty file' : `text that is no JSON ${place}`.trim());
  }
  return plainData(value, most);
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object in a JSON text; undefined for other JSON and for invalid text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

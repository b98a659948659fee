/** Maximum nesting of an answer that is read: deeper ones would overflow the stack. */
const DEEPEST = 100;

/**
 * Parses a service's JSON. Replaces levels below the hundredth by `null`, so that any answer can be traversed and written. An
 * integer beyond 2^53, such as a 64-bit id, becomes text, because a number would change it.
 *
 * @throws SyntaxError if the text is no JSON
 */
export function readJson(text: string): unknown {
  const value: unknown = MANY_DIGITS.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  let level: object[] = isBranch(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) level = nextLevel(level, depth === DEEPEST);
  return value;
}

const MANY_DIGITS = /\d{16}/;

function exactly(_key: string, value: unknown, written?: { readonly source?: string }): unknown {
  const { source } = written ?? {};
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact || source === undefined || !/^-?\d+$/.test(source) ? value : source;
}

function nextLevel(level: readonly object[], last: boolean): object[] {
  const next: object[] = [];
  for (const branch of level) {
    const held = branch as Record<string | number, unknown>;
    // `Object.keys` would turn the positions of a list into strings.
    for (const key of Array.isArray(branch) ? branch.keys() : Object.keys(branch)) {
      const value = held[key];
      if (!isBranch(value)) continue;
      if (last) held[key] = null;
      else next.push(value);
    }
  }
  return next;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

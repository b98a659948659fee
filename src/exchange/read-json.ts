/** What stands deeper than this in an answer is not looked at: everything that walks an answer would run out of stack. */
const DEEPEST = 100;

/**
 * Reads JSON that a service has sent. What is nested deeper than a hundred levels is replaced by `null`, so that an answer can be
 * walked, compared and written whatever a service makes of it. An integer beyond 2^53, such as an id of 64 bits, becomes the text of its
 * digits: as a number it would be another one.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function readJson(text: string): unknown {
  const value: unknown = MANY_DIGITS.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  let level: object[] = isBranch(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) level = nextLevel(level, depth === DEEPEST);
  return value;
}

const MANY_DIGITS = /\d{16}/;

/** Leaves an integer that a number cannot hold as it was written. */
function exactly(_key: string, value: unknown, written?: { readonly source?: string }): unknown {
  const { source } = written ?? {};
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact || source === undefined || !/^-?\d+$/.test(source) ? value : source;
}

/** What hangs on the branches of one level; cut off where that is the last. */
function nextLevel(level: readonly object[], last: boolean): object[] {
  const next: object[] = [];
  for (const branch of level) {
    const held = branch as Record<string, unknown>;
    for (const key of Object.keys(held)) {
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

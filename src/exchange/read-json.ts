/** What stands deeper than this in an answer is not looked at: everything that walks an answer would run out of stack. */
const DEEPEST = 100;

/**
 * Reads JSON that a service has sent. What is nested deeper than a hundred levels is replaced by `null`, so that an answer can be
 * walked, compared and written whatever a service makes of it.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  let level: object[] = isBranch(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) level = nextLevel(level, depth === DEEPEST);
  return value;
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

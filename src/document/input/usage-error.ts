/** Wrong usage: nothing was sent, exit 2. The message says what to do. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const longer = known.filter((one) => name.length > 2 && one.startsWith(name));
  if (longer.length > 0) return longer.reduce((a, b) => (b.length < a.length ? b : a));
  const ranked = known
    .map((candidate) => ({ candidate, changes: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.changes - b.changes);
  const best = ranked[0];
  if (best === undefined) return undefined;
  const longest = Math.max(name.length, best.candidate.length);
  return best.changes <= Math.max(1, Math.floor(longest / 3)) ? best.candidate : undefined;
}

/** Limit for unknown names, because the comparison takes the product of both lengths. */
const LONGEST = 60;

function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}

/** Returns ` Did you mean "refusals"?`, or an empty text without a near match. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
}

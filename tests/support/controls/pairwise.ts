/**
 * Rows (value indices, one per factor) that cover any two values of any two factors. Greedy and deterministic.
 * @param sizes number of values of each factor, from 1
 */
export function pairwise(sizes: readonly number[]): readonly (readonly number[])[] {
  const [alone = 0, ...others] = sizes;
  if (others.length === 0) return Array.from({ length: alone }, (_, value) => [value]);
  // Every value of every factor has a number of its own, and every pair of them another.
  let count = 0;
  const factors = sizes.map((size) => Array.from({ length: size }, () => count++));
  const pairOf = (one: number, other: number) => Math.min(one, other) * count + Math.max(one, other);
  /** The pairs that no row has yet, and how many of them each value is in. */
  const open = new Set(
    factors.flatMap((values, factor) =>
      factors
        .slice(factor + 1)
        .flatMap((rest) => values.flatMap((value) => rest.map((other) => pairOf(value, other)))),
    ),
  );
  const left = factors.flatMap((values) => values.map(() => count - values.length));

  /** The value that stands together with most of the row for the first time; next, the one with most open pairs. */
  const best = (values: readonly number[], row: readonly number[]) => {
    const gain = (value: number) =>
      row.filter((other) => open.has(pairOf(value, other))).length * 10_000 + (left[value] ?? 0);
    return values.reduce((chosen, value) => (gain(value) > gain(chosen) ? value : chosen));
  };

  const largestFirst = factors.toSorted((a, b) => b.length - a.length);
  const rows: number[][] = [];
  for (const seed of open) {
    const row = [Math.floor(seed / count), seed % count];
    for (const values of largestFirst)
      if (!values.some((value) => row.includes(value))) row.push(best(values, row));
    row.sort((a, b) => a - b);
    for (const [index, one] of row.entries())
      for (const other of row.slice(index + 1)) {
        if (!open.delete(pairOf(one, other))) continue;
        left[one] = (left[one] ?? 0) - 1;
        left[other] = (left[other] ?? 0) - 1;
      }
    rows.push(row.map((value, factor) => factors[factor]?.indexOf(value) ?? 0));
  }
  return rows;
}

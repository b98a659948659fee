/**
 * The value among those that were issued that another nearly equals, if any: services may decode leniently, so what becomes of
 * such a one is for the checks to try.
 */
export function nearestTo(value: string, issued: Iterable<string>): string | undefined {
  const lower = value.toLowerCase();
  for (const known of issued) {
    if (known.startsWith(value) || value.startsWith(known) || known.toLowerCase() === lower) return known;
    if (known.length === value.length && differences(known, value) < 3) return known;
  }
  return undefined;
}

function differences(one: string, other: string): number {
  let count = 0;
  for (let i = 0; i < one.length && count < 3; i += 1) if (one[i] !== other[i]) count += 1;
  return count;
}

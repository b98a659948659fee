/** Returns an issued value that nearly equals this one. Lenient decoders may accept it, so only checks evaluate such values. */
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

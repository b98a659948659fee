import { membersIn } from '../../http/answer-body.ts';

/**
 * Returns the first of some members that occurs several times at the top of a JSON object with different values: readers take the
 * first or the last (RFC 8259 section 4).
 */
export function memberWithSeveralValues(json: string, names: readonly string[]): string | undefined {
  // Few answers repeat a name; only those need the exact search.
  if (!names.some((name) => json.indexOf(`"${name}"`) !== json.lastIndexOf(`"${name}"`))) return undefined;
  const seen = new Map<string, string>();
  for (const [name, value] of membersIn(json)) {
    const before = seen.get(name);
    if (names.includes(name) && before !== undefined && before !== value) return name;
    seen.set(name, value);
  }
  return undefined;
}

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

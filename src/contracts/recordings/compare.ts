import type { RecordedExchange, Recording } from './recording.ts';

/**
 * Compares the shapes of a recording and of the same flow recorded again: status class, media type, and members and types of
 * JSON. Ignores values and the length of lists.
 *
 * @returns a sentence for each difference
 */
export function compareRecordings(recorded: Recording, now: Recording): readonly string[] {
  const before = new Map(recorded.exchanges.map((exchange) => [exchange.name, exchange]));
  const after = new Map(now.exchanges.map((exchange) => [exchange.name, exchange]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [a, b] = [before.get(name), after.get(name)];
    if (a === undefined) return [`${name}: is not in the recording; record again`];
    if (b === undefined) return [`${name}: is in the recording, but this run did not make it; record again`];
    return differences(a, b).map((difference) => `${name}: ${difference}`);
  });
}

function differences(
  { response: a }: RecordedExchange,
  { response: b }: RecordedExchange,
): readonly string[] {
  const statusClass = (status: number) => `${Math.floor(status / 100)}xx`;
  const found: string[] = [];
  if (statusClass(a.status) !== statusClass(b.status))
    found.push(`status: recorded ${a.status}, came ${b.status}`);
  const [typeA, typeB] = [mediaType(a.headers), mediaType(b.headers)];
  if (typeA !== typeB) found.push(`media type: recorded ${typeA}, came ${typeB}`);
  const [bodyA, bodyB] = [kindOf(a), kindOf(b)];
  if (bodyA !== bodyB) return [...found, `body: recorded ${bodyA}, came ${bodyB}`];
  return [...found, ...(bodyA === 'JSON' ? shapeDifferences(a.json, b.json) : [])];
}

function mediaType(headers: Readonly<Record<string, string>>): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'none';
}

function kindOf({ json, text }: RecordedExchange['response']): 'JSON' | 'no JSON' | 'nothing' {
  if (json !== undefined) return 'JSON';
  return text === undefined ? 'nothing' : 'no JSON';
}

/**
 * Compares the types at each place. Ignores the items of an empty list, and a value that is always null: many services return
 * null for missing values.
 */
function shapeDifferences(recorded: unknown, received: unknown): readonly string[] {
  const [a, b] = [typesIn(recorded), typesIn(received)];
  const unknown = [...a, ...b].flatMap(([pointer, types]) => (types.size === 0 ? [pointer] : []));
  const pointers = [...new Set([...a.keys(), ...b.keys()])].sort();
  return pointers
    .filter((pointer) => !unknown.some((one) => pointer === one || pointer.startsWith(`${one}/`)))
    .flatMap((pointer) => {
      const [before, now] = [a, b].map((types) => [...(types.get(pointer) ?? [])].sort().join(' or '));
      if (before === now) return [];
      return [`${pointer || '/'}: recorded ${before || 'nothing'}, came ${now || 'nothing'}`];
    });
}

/** Returns the types at each place; none for a null, or for the items of an empty list. */
function typesIn(value: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (item: unknown, at: string): void => {
    const types = found.get(at) ?? new Set<string>();
    found.set(at, types);
    if (item === null) return;
    types.add(Array.isArray(item) ? 'list' : typeof item);
    if (Array.isArray(item) && item.length === 0) found.set(`${at}/*`, found.get(`${at}/*`) ?? new Set());
    for (const [key, one] of typeof item === 'object' ? Object.entries(item) : [])
      visit(one, `${at}/${Array.isArray(item) ? '*' : key}`);
  };
  visit(value, '');
  return found;
}

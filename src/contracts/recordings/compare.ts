import type { RecordedExchange, Recording } from './recording.ts';

/**
 * What has changed between a recording and the same flow recorded again. Compared are shapes: the class of the status, the
 * media type, and of JSON the members and their types. Values, and how many items a list has, are not.
 *
 * @returns a sentence for each difference
 */
export function compareRecordings(recorded: Recording, now: Recording): readonly string[] {
  const before = new Map(recorded.exchanges.map((exchange) => [exchange.name, exchange]));
  const after = new Map(now.exchanges.map((exchange) => [exchange.name, exchange]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [a, b] = [before.get(name), after.get(name)];
    if (a === undefined) return [`${name}: is not in the recording; record anew`];
    if (b === undefined) return [`${name}: is in the recording and was not made again; record anew`];
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

type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Compares shapes. An empty list matches any list, and null matches any type, because many services return null for
 * missing values.
 */
function shapeDifferences(recorded: unknown, came: unknown): readonly string[] {
  const [a, b] = [shapeOf(recorded), shapeOf(came)];
  const empty = [...emptyLists(recorded), ...emptyLists(came)];
  const pointers = [...new Set([...a.keys(), ...b.keys()])].sort();
  return pointers
    .filter((pointer) => !empty.some((list) => pointer.startsWith(`${list}/*`)))
    .flatMap((pointer) => {
      const [typesA, typesB] = [typesAt(a, pointer), typesAt(b, pointer)];
      if (typesA === typesB || typesA === 'null' || typesB === 'null') return [];
      return [`${pointer || '/'}: recorded ${typesA}, came ${typesB}`];
    });
}

function typesAt(shape: Shape, pointer: string): string {
  const types = [...(shape.get(pointer) ?? [])];
  const known = types.length > 1 ? types.filter((type) => type !== 'null') : types;
  return known.sort().join(' or ') || 'nothing';
}

function shapeOf(value: unknown): Shape {
  const shape = new Map<string, Set<string>>();
  const walk = (item: unknown, at: string): void => {
    const types = shape.get(at) ?? new Set<string>();
    shape.set(at, types.add(typeOf(item)));
    if (Array.isArray(item)) for (const one of item) walk(one, `${at}/*`);
    else if (typeof item === 'object' && item !== null)
      for (const [key, one] of Object.entries(item)) walk(one, `${at}/${key}`);
  };
  walk(value, '');
  return shape;
}

function emptyLists(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value))
    return value.length === 0 ? [at] : value.flatMap((item) => emptyLists(item, `${at}/*`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => emptyLists(item, `${at}/${key}`));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

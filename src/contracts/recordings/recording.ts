import { parseJson } from '../../input/plain-data.ts';
import { UsageError } from '../../input/usage-error.ts';
import { printableJson } from '../../report/printable.ts';

export interface Recording {
  readonly format: 1;
  readonly of: string;
  readonly cast: RecordedIdentities;
  readonly exchanges: readonly RecordedExchange[];
}

export interface RecordedIdentities {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly project: string;
  readonly user: string;
}

export type RecordedOperation = 'exchange' | 'refresh' | 'list' | 'assign' | 'unassign';

export interface RecordedExchange {
  readonly name: string;
  readonly operation: RecordedOperation;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

export interface RecordedRequest extends RecordedBody {
  readonly address: 'auth' | 'api';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

export interface RecordedResponse extends RecordedBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordedBody {
  readonly json?: unknown;
  readonly text?: string;
}

export function renderRecording(recording: Recording): string {
  return `${printableJson(JSON.stringify(recording, null, 2))}\n`;
}

/** @throws UsageError for a text that is no recording */
export function parseRecording(text: string, source: string): Recording {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new UsageError(`${source}: expected a recording, which is JSON`);
  }
  const { format, exchanges } = (value ?? {}) as Partial<Recording>;
  if (format !== 1 || !Array.isArray(exchanges)) {
    throw new UsageError(`${source}: expected a recording of format 1, which \`contracts record\` writes`);
  }
  return value as Recording;
}

export function bodyText({ json, text }: RecordedBody): string {
  return json === undefined ? (text ?? '') : JSON.stringify(json);
}

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

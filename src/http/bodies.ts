/** Caches the latest long bodies: runs read the same few lists hundreds of times, and memory would grow with each. */

/** Characters of a long body: a list of hundreds of users. */
const LONG = 16 * 1024;

/** Cache size: the lists of two projects, with and without the changing user. */
const REMEMBERED = 6;

interface LongBody {
  readonly text: string;
  readonly read: Map<string, object>;
}

const remembered = new Map<string, LongBody>();

export function isLong({ length }: string): boolean {
  return length >= LONG;
}

export function textOf(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString('utf8');
  return isLong(text) ? remember(text).text : text;
}

export function readFrom<T extends object>(body: string, name: string, read: () => T): T {
  if (!isLong(body)) return read();
  const known = remember(body).read;
  const before = known.get(name);
  if (before !== undefined) return before as T;
  const now = read();
  known.set(name, now);
  return now;
}

function remember(text: string): LongBody {
  const body = remembered.get(text) ?? { text, read: new Map() };
  remembered.delete(text);
  remembered.set(body.text, body);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return body;
}

/** Maximum nesting of an answer that is read: deeper ones would overflow the stack. */
const DEEPEST = 100;

/**
 * Parses a service's JSON. Replaces levels below the hundredth by `null`, so that any answer can be traversed and written. An
 * integer beyond 2^53, such as a 64-bit id, becomes text, because a number would change it. @throws SyntaxError
 */
export function readJson(text: string): unknown {
  const json = withoutMark(text);
  const value: unknown = MANY_DIGITS.test(json) ? JSON.parse(json, exactly) : JSON.parse(json);
  let level: object[] = isBranch(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) level = nextLevel(level, depth === DEEPEST);
  return value;
}

const MARK = '\ufeff';

/** Removes the byte order mark of a text, which a reader of JSON may ignore (RFC 8259 section 8.1). */
export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

const MANY_DIGITS = /\d{16}/;

function exactly(_key: string, value: unknown, written?: { readonly source?: string }): unknown {
  const { source } = written ?? {};
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact || source === undefined || !/^-?\d+$/.test(source) ? value : source;
}

function nextLevel(level: readonly object[], last: boolean): object[] {
  const next: object[] = [];
  for (const branch of level) {
    const held = branch as Record<string | number, unknown>;
    // `Object.keys` would turn the positions of a list into strings.
    for (const key of Array.isArray(branch) ? branch.keys() : Object.keys(branch)) {
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

/**
 * A run asks for a list hundreds of times, and it is nearly always one of a few. So the long bodies that came last are held once and
 * read once: time and memory grow with the number of requests, and not with requests times users.
 */

/** Characters, or bytes, from which on a body counts as long: a list of hundreds of users. */
const LONG = 16 * 1024;

/** How many are remembered: the lists of two projects, with and without the user who comes and goes. */
const REMEMBERED = 6;

interface LongBody {
  readonly text: string;
  readonly bytes: Buffer | undefined;
  /** What was read from it, by the name of the reading. */
  readonly read: Map<string, WeakRef<object>>;
}

/** The newest last. */
const remembered = new Map<string, LongBody>();

export function isLong({ length }: string | Buffer): boolean {
  return length >= LONG;
}

/** A body as text; a long one that came before as the same string. */
export function textOf(bytes: Buffer): string {
  if (!isLong(bytes)) return bytes.toString('utf8');
  const known = [...remembered.values()].find((one) => one.bytes?.equals(bytes));
  return keep(known ?? { text: bytes.toString('utf8'), bytes, read: new Map() }).text;
}

/**
 * Returns what is read from a body; of a long one that came before, what was read then.
 *
 * @param name of the reading
 */
export function readFrom<T extends object>(body: string, name: string, read: () => T): T {
  if (!isLong(body)) return read();
  const known = remembered.get(body) ?? { text: body, bytes: undefined, read: new Map() };
  const before = keep(known).read.get(name)?.deref();
  if (before !== undefined) return before as T;
  const now = read();
  known.read.set(name, new WeakRef(now));
  return now;
}

function keep(body: LongBody): LongBody {
  remembered.delete(body.text);
  remembered.set(body.text, body);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return body;
}

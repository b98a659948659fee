/**
 * Caches the latest long bodies, stored and parsed once. Runs read the same few lists hundreds of times, so memory
 * would grow with requests times users.
 */

/** Characters or bytes of a long body: a list of hundreds of users. */
const LONG = 16 * 1024;

/** Cache size: the lists of two projects, with and without the changing user. */
const REMEMBERED = 6;

interface LongBody {
  readonly text: string;
  readonly bytes: Buffer | undefined;
  readonly read: Map<string, WeakRef<object>>;
}

const remembered = new Map<string, LongBody>();

export function isLong({ length }: string | Buffer): boolean {
  return length >= LONG;
}

export function textOf(bytes: Buffer): string {
  if (!isLong(bytes)) return bytes.toString('utf8');
  const known = [...remembered.values()].find((one) => one.bytes?.equals(bytes));
  return keep(known ?? { text: bytes.toString('utf8'), bytes, read: new Map() }).text;
}

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

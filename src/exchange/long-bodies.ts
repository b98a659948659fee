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
  readonly read: Map<string, object>;
}

const remembered = new Map<string, LongBody>();

export function isLong({ length }: string | Buffer): boolean {
  return length >= LONG;
}

export function textOf(chunks: readonly Buffer[]): string {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const known = [...remembered.values()].find(
    (one) => one.bytes?.length === length && isMadeOf(one.bytes, chunks),
  );
  if (known !== undefined) return keep(known).text;
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  return isLong(bytes) ? keep({ text, bytes, read: new Map() }).text : text;
}

function isMadeOf(bytes: Buffer, chunks: readonly Buffer[]): boolean {
  let at = 0;
  return chunks.every((chunk) => {
    const from = at;
    at += chunk.length;
    return bytes.compare(chunk, 0, chunk.length, from, at) === 0;
  });
}

export function readFrom<T extends object>(body: string, name: string, read: () => T): T {
  if (!isLong(body)) return read();
  const known = remembered.get(body) ?? { text: body, bytes: undefined, read: new Map() };
  const before = keep(known).read.get(name);
  if (before !== undefined) return before as T;
  const now = read();
  known.read.set(name, now);
  return now;
}

let latest: { readonly body: string; readonly json: unknown } | undefined;

/** Caches one parsed long body only: it takes several times the memory of its text, and is read right after it came. */
export function jsonOfLong(body: string, parse: (body: string) => unknown): unknown {
  if (latest?.body !== body) latest = { body, json: parse(body) };
  return latest.json;
}

function keep(body: LongBody): LongBody {
  remembered.delete(body.text);
  remembered.set(body.text, body);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return body;
}

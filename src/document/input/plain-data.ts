import { readFileSync } from 'node:fs';

export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/**
 * Copies a value as JSON data: an export of a module may be cyclic, endless, or run code when read.
 *
 * @throws NotPlain if JSON cannot hold it
 */
export function plainData(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value, refuseCode);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof NotPlain) throw error;
    throw new NotPlain('a value that contains itself, is nested too deep, or throws when it is read');
  }
}

function refuseCode(key: string, value: unknown): unknown {
  if (!['bigint', 'function', 'symbol'].includes(typeof value)) return value;
  throw new NotPlain(`a ${typeof value}${/^[\w.-]{1,40}$/.test(key) ? ` (at ${key})` : ''}`);
}

/**
 * Reads a text file without the byte order mark that editors on Windows write.
 *
 * @throws NotPlain for a file that cannot be read, and for another encoding, such as the UTF-16 of PowerShell's `>`
 */
export function readUtf8(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new NotPlain(code === 'ENOENT' ? 'no such file' : `a file that cannot be read (${code})`);
  }
  const is16 = /^(?:fffe|feff|00|..00)/.test(bytes.toString('hex', 0, 2));
  if (is16) throw new NotPlain('text in UTF-16; save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NotPlain('text in another encoding; save it as UTF-8');
  }
}

export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(withoutMark(text));
  } catch {
    throw new NotPlain(text.trim() === '' ? 'an empty file' : `text that is no JSON ${badPlaceIn(text)}`);
  }
  return plainData(value);
}

/** Returns line and column of the first character that is no JSON: the engine does not tell each. */
function badPlaceIn(text: string): string {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (mayContinue(withoutMark(text.slice(0, middle)))) good = middle;
    else bad = middle;
  }
  // A space that does not break cannot be seen.
  const code = text.charCodeAt(good).toString(16).toUpperCase().padStart(4, '0');
  return `${placeAt(text, good)}${/[^\0-~]/.test(text[good] ?? '') ? `: U+${code}` : ''}`;
}

export function placeAt(text: string, offset: number): string {
  const lines = withoutMark(text.slice(0, offset)).split('\n');
  return `(line ${lines.length} column ${(lines.at(-1) ?? '').length + 1})`;
}

/** Tells if a text is JSON, or the beginning of JSON: the engine then blames its end. */
function mayContinue(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (error) {
    const { message } = error as Error;
    return /end of JSON/.test(message) || Number(/at position (\d+)/.exec(message)?.[1]) >= start.length;
  }
}

/** Removes the byte order mark with which editors on Windows, and some servers, begin a text. */
function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object in a JSON text; undefined for other JSON and for invalid text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Returns the value of a JSON text; undefined if the text is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    return undefined;
  }
}

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
  } catch (error) {
    const [place = ''] = /\(line \d+ column \d+\)/.exec((error as Error).message) ?? [];
    throw new NotPlain(text.trim() === '' ? 'an empty file' : `text that is no JSON ${place}`.trim());
  }
  return plainData(value);
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

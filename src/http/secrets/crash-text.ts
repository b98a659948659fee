import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const MOST_FRAMES = 12;

/** Describes an error by kind, code and place. Omits the message, because engines and libraries quote data such as tokens. */
export function crashText(error: unknown): string {
  const kind = word(error, 'name', /^[A-Za-z]{1,60}$/) ?? 'something that is no error';
  const code = word(error, 'code', /^[A-Z][A-Z0-9_]{1,60}$/);
  return [code === undefined ? kind : `${kind} (${code})`, ...places(error)].join('\n    at ');
}

/** Returns a property if it matches the expected form. Getters may throw. */
function word(error: unknown, name: 'name' | 'code' | 'stack', form: RegExp): string | undefined {
  try {
    const value: unknown = (error as Record<string, unknown>)[name];
    return typeof value === 'string' && form.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns files, lines and columns of existing files only, because a message may imitate a stack. */
function places(error: unknown): readonly string[] {
  const stack = word(error, 'stack', /^/) ?? '';
  const found: string[] = [];
  for (const line of stack.split('\n')) {
    const place = /^ {4}at .*?\(?((?:file:\/\/|node:)?\/?[\w./@~+-]+):(\d+):(\d+)\)?$/.exec(line);
    const file = place?.[1] === undefined ? undefined : knownFile(place[1]);
    if (file !== undefined) found.push(`${file}:${place?.[2]}:${place?.[3]}`);
    if (found.length === MOST_FRAMES) break;
  }
  return found;
}

function knownFile(written: string): string | undefined {
  if (written.startsWith('node:')) return written;
  try {
    const path = written.startsWith('file:') ? fileURLToPath(written) : written;
    return existsSync(path) ? relative(ROOT, path) : undefined;
  } catch {
    return undefined;
  }
}

/** Like {@link crashText}, with the redacted message of the suite's own errors, which give advice and quote nothing. */
export function explainedCrash(error: unknown, clean: (text: string) => string): string {
  const text = crashText(error);
  const [head = '', first = ''] = text.split('\n    at ');
  const own = head === 'Error' && first.startsWith('src/') && error instanceof Error;
  if (!own) return text;
  const message = clean(error.message).split(/[\n\r\u2028\u2029]/)[0] ?? '';
  return text.replace('Error', () => `Error: ${message}`);
}

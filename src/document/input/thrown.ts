import { pathToFileURL } from 'node:url';
import { NotPlain } from './plain-data.ts';
import { unlessPlain } from './shell-quotes.ts';

/**
 * Describes an error of a loading module without its message, which may quote the module's text or a value.
 *
 * @param file the module's absolute path
 */
export function describeThrown(thrown: unknown, file: string): string {
  try {
    return described(thrown, file);
  } catch {
    // A proxy, or an error whose own members throw.
    return 'one that throws something that cannot be read';
  }
}

function described(thrown: unknown, file: string): string {
  if (thrown instanceof NotPlain) return thrown.message;
  if (!(thrown instanceof Error)) return 'one that throws something that is no error';
  const code = (thrown as NodeJS.ErrnoException).code;
  const what = typeof code === 'string' && /^ERR_[A-Z_]+$/.test(code) ? code : nameOf(thrown);
  const [, missing] = /^Cannot find (?:module|package) '([^'\n]{1,200})'/.exec(thrown.message) ?? [];
  if (missing !== undefined && /MODULE_NOT_FOUND$/.test(String(code)))
    return `one that imports ${missing}, which cannot be found: install it, or correct its name`;
  const line = lineIn(thrown, file);
  return `one that cannot be loaded: ${what}${line === undefined ? '' : ` at line ${line}`}; \`node ${unlessPlain(file)}\` shows more`;
}

function nameOf({ name }: Error): string {
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : 'Error';
}

function lineIn({ stack }: Error, file: string): string | undefined {
  if (typeof stack !== 'string') return undefined;
  // An address may hold what ends one in a text: brackets of a folder's name, for example.
  for (const place of [`${file}:`, `${pathToFileURL(file).href}:`]) {
    const from = stack.indexOf(place);
    if (from >= 0) return /^\d+/.exec(stack.slice(from + place.length))?.[0];
  }
  return undefined;
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Pact, PactRefused } from './pact.ts';
import { readPact } from './read-pact.ts';

/** @throws PactRefused naming every path without a pact, and every file that is none */
export function findPacts(paths: readonly string[]): readonly Pact[] {
  return atPaths(paths, (text, file) => readPact(text, file));
}

/**
 * Reads files, and all `*.json` of folders. Keeps the order of the paths; sorts the files of a folder by name.
 *
 * @param read throws PactRefused for a text that is no pact
 * @throws PactRefused with all problems
 */
export function atPaths<T>(paths: readonly string[], read: (text: string, file: string) => T): readonly T[] {
  const problems: string[] = [];
  const collected = <R>(work: () => R[]): R[] => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof PactRefused)) throw error;
      problems.push(error.message);
      return [];
    }
  };
  const files = paths.flatMap((path) => collected(() => filesAt(path)));
  const pacts = files.flatMap((file) => collected(() => [read(textAt(file), file)]));
  if (problems.length > 0) throw new PactRefused(problems);
  return pacts;
}

function filesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new PactRefused([
      `${path}: there is no such file or folder; expected a pact, or a folder of pacts`,
    ]);
  if (!found.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new PactRefused([`${path}: the folder holds no *.json, so no pact`]);
  return names.sort().map((name) => join(path, name));
}

function textAt(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new PactRefused([`${file}: expected a pact, got a file that cannot be read`]);
  }
}

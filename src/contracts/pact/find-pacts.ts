import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pact, PactRefused } from './pact.ts';
import { readPact } from './read-pact.ts';

/**
 * Reads the pacts at some paths: files, or folders whose `*.json` are all pacts. In the order of the paths, files of a
 * folder by name.
 *
 * @throws PactRefused naming every path at which there is none, and every file that is none
 */
export async function findPacts(paths: readonly string[]): Promise<readonly Pact[]> {
  const pacts: Pact[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      for (const file of await filesAt(path)) pacts.push(readPact(await readFile(file, 'utf8'), file));
    } catch (error) {
      if (!(error instanceof PactRefused)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new PactRefused(problems);
  return pacts;
}

async function filesAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new PactRefused([
      `${path}: there is no such file or folder; expected a pact, or a folder of pacts`,
    ]);
  }
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new PactRefused([`${path}: the folder holds no *.json, so no pact`]);
  return names.map((name) => join(path, name));
}

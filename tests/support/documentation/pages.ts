import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The pages for users and developers, from {@link ROOT}. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  ),
];

export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

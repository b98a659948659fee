import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileDigest } from '../profiles/manifest.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Everything in the package that decides what the suite sends and records. */
const CONTENT = ['generated', 'spec', 'src'];

export async function suiteVersion(): Promise<string> {
  const text = await readFile(join(ROOT, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Returns the SHA-256 of the suite's own files, 64 hexadecimal digits. The same package has the same digest on every machine; a checkout
 * has another than the package that was built from it.
 */
export async function suiteDigest(): Promise<string> {
  const files = await Promise.all(
    CONTENT.map((folder) => readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })),
  );
  const lines = await Promise.all(
    files
      .flat()
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const file = join(parentPath, name);
        return `${relative(ROOT, file).replaceAll(sep, '/')} ${fileDigest(await readFile(file))}`;
      }),
  );
  return fileDigest(lines.sort().join('\n'));
}

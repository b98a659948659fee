import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../input/usage-error.ts';
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

const require = createRequire(import.meta.url);

export function requireOptionalPackage(name: string, verb: string): void {
  if (process.versions.pnp !== undefined) {
    throw new UsageError(
      `${verb} starts ${name} in a process of its own, which does not work with Yarn's Plug'n'Play: write \`nodeLinker: node-modules\` into .yarnrc.yml`,
    );
  }
  try {
    require.resolve(name);
  } catch {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    const version = peerDependencies?.[name] ?? dependencies?.[name];
    throw new UsageError(
      `${verb} needs the package ${name}, which is not installed here: npm install --save-dev "${name}@${version}"`,
    );
  }
}

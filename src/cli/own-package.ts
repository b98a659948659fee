import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../document/input/usage-error.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export async function suiteVersion(): Promise<string> {
  const text = await readFile(join(ROOT, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
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

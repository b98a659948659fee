import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { UsageError } from '../document/input/usage-error.ts';

interface Manifest {
  readonly version: string;
  readonly repository?: { readonly url: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export function ownManifest(): Manifest {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}

export function suiteVersion(): string {
  return ownManifest().version;
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
    const { dependencies, peerDependencies } = ownManifest();
    const version = peerDependencies?.[name] ?? dependencies?.[name];
    throw new UsageError(
      `${verb} needs the package ${name}, which is not installed here: npm install --save-dev "${name}@${version}"`,
    );
  }
}

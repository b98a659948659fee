import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { UsageError } from '../../document/input/usage-error.ts';

interface Manifest {
  readonly version: string;
  readonly repository?: { readonly url: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export function ownManifest(): Manifest {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
}

/** Returns the version of this package. */
export function suiteVersion(): string {
  return ownManifest().version;
}

const require = createRequire(import.meta.url);

const PACT = '@pact-foundation/pact-core';

/** @throws UsageError if the optional package with the native verifier is not installed */
export function requirePact(verb: string): void {
  if (process.versions.pnp !== undefined) {
    throw new UsageError(
      `${verb} starts ${PACT} in a process of its own, which does not work with Yarn's Plug'n'Play: write \`nodeLinker: node-modules\` into .yarnrc.yml`,
    );
  }
  try {
    require.resolve(PACT);
  } catch {
    const { dependencies, peerDependencies } = ownManifest();
    const version = peerDependencies?.[PACT] ?? dependencies?.[PACT];
    throw new UsageError(
      `${verb} needs the package ${PACT}, which is not installed here: npm install --save-dev "${PACT}@${version}"`,
    );
  }
}

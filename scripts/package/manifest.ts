import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Parts of the checkout's `package.json` for the package's own. */
interface CheckoutManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Packages that a verb or an entry point loads only when it is used: the integrator installs the ones they need. */
export const OPTIONAL_PEERS = {
  '@pact-foundation/pact-core': '^20.2.0',
  '@playwright/test': '>=1.50 <2',
} as const;

/** The modules that a program may import, by path in the package. */
export const ENTRIES = {
  '.': 'src/index',
  './emulator': 'src/emulator/index',
  './fixtures': 'src/fixtures',
  './config': 'src/service/configuration/index',
  './playwright': 'src/commands/check/register-checks',
} as const;

/**
 * The published package's `package.json`: no scripts, no development dependencies, not private.
 *
 * @param own the checkout's, from which version and dependencies come
 */
export function packageManifest(own: CheckoutManifest): Readonly<Record<string, unknown>> {
  const dependencies = Object.fromEntries(
    Object.entries(own.dependencies).filter(([name]) => !(name in OPTIONAL_PEERS)),
  );
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    keywords: ['oauth2', 'conformance', 'contract-testing', 'pact', 'emulator', 'playwright'],
    license: own.license,
    type: 'module',
    engines: own.engines,
    bin: own.bin,
    exports: {
      ...Object.fromEntries(
        Object.entries(ENTRIES).map(([path, file]) => [
          path,
          { types: `./${file}.d.ts`, default: `./${file}.js` },
        ]),
      ),
      './spec/*': './spec/*',
      './package.json': './package.json',
    },
    // For `moduleResolution: node`, which reads no `exports`.
    main: `./${ENTRIES['.']}.js`,
    types: `./${ENTRIES['.']}.d.ts`,
    typesVersions: {
      '*': Object.fromEntries(
        Object.entries(ENTRIES).map(([path, file]) => [path.slice(2) || '.', [`./${file}.d.ts`]]),
      ),
    },
    // Yarn's Plug'n'Play keeps packages in archives; the suite reads its own files and starts processes on them.
    preferUnplugged: true,
    dependencies,
    peerDependencies: OPTIONAL_PEERS,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(OPTIONAL_PEERS).map((name) => [name, { optional: true }]),
    ),
  };
}

/** Returns a Markdown page whose links to files that are not beside it are plain text; pictures that are not there are left out. */
export function withoutDeadLinks(markdown: string, file: string): string {
  return markdown.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, picture, text, target) => {
    const [path] = target.split('#');
    if (path === '' || /^[a-z]+:/.test(target) || existsSync(join(dirname(file), path))) return link;
    return picture === '!' ? '' : text;
  });
}

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

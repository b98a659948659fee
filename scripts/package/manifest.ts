/** Parts of the checkout's `package.json` for the package's own. */
export interface CheckoutManifest {
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
  nock: '^14.0.9',
} as const;

/** The modules that a program may import, by path in the package. */
export const ENTRIES = {
  '.': 'src/index',
  './emulator': 'src/emulator/index',
  './client': 'src/client/index',
  './fixtures': 'src/fixtures',
  './config': 'src/config/index',
  './playwright': 'src/app/playwright/register-checks',
  './reporter': 'src/app/playwright/verdict-reporter',
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
    // Yarn's Plug'n'Play keeps packages in archives; the suite reads its own files and starts processes on them.
    preferUnplugged: true,
    dependencies,
    peerDependencies: OPTIONAL_PEERS,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(OPTIONAL_PEERS).map((name) => [name, { optional: true }]),
    ),
  };
}

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interfaceText } from './package/interface.ts';
import { ENTRIES, packageManifest, pruneDeclarations, withoutDeadLinks } from './package/manifest.ts';

/**
 * `npm run build`: the package, as JavaScript with declarations, in `dist/package`. The folder is itself the package's root, so every
 * relative path of the checkout holds in it; `npm pack ./dist/package` packs it. With `--interface` the text of the public interface is
 * written too. The compiler does not check types a second time: `npm test` has checked them.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OUT = join(ROOT, 'dist/package');

/** Copied unchanged. The compiler would indent the validators, which makes them half as large again. */
const COPIED = [
  'generated/validators.js',
  'generated/validators.d.ts',
  'generated/ajv-equal.cjs',
  'generated/ajv-formats.cjs',
  'generated/ajv-ucs2length.cjs',
  'generated/defect-ids.d.ts',
  'generated/schemas.d.ts',
  'generated/openapi.d.ts',
  'generated/control.d.ts',
  'generated/control-validators.js',
  'generated/control-validators.d.ts',
  'generated/catalogue.json',
  'generated/client-requirements.json',
  'generated/profile.schema.json',
  'generated/profiles.json',
  'generated/starters.json',
  'spec',
  'contracts/pacts',
  'scripts/legacy-conformance.js',
  'src/client-checks/drive/node-clock.js',
  'docs',
  'templates',
  'README.md',
  'SECURITY.md',
  'LICENSE',
  'CHANGELOG.md',
] as const;

/** Pages for contributors to the suite. */
const FOR_DEVELOPERS = 'docs/development';

/** The pages by task as one file, for assistants that read one. The reference pages have addresses in it alone. */
function pagesInOne(): string {
  const pages = readdirSync(join(OUT, 'docs')).filter((file) => file.endsWith('.md'));
  const texts = ['README.md', ...pages.map((file) => join('docs', file))].map(
    (file) => `<!-- ${file} -->\n\n${readFileSync(join(OUT, file), 'utf8').trim()}\n`,
  );
  return texts.join('\n');
}

rmSync(OUT, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (status === 0) {
  for (const path of COPIED) {
    mkdirSync(join(OUT, path, '..'), { recursive: true });
    cpSync(join(ROOT, path), join(OUT, path), {
      recursive: true,
      filter: (source) => relative(ROOT, source) !== FOR_DEVELOPERS,
    });
  }
  for (const page of readdirSync(OUT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )) {
    const file = join(OUT, page);
    writeFileSync(file, withoutDeadLinks(readFileSync(file, 'utf8'), file));
  }
  writeFileSync(join(OUT, 'llms.txt'), pagesInOne());
  pruneDeclarations(OUT, Object.values(ENTRIES));
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(packageManifest(own), undefined, 2)}\n`);
  if (process.argv.includes('--interface'))
    writeFileSync(join(ROOT, 'docs/development/interface.txt'), interfaceText(OUT));
  console.log('built dist/package');
} else process.exitCode = 1;

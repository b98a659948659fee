/**
 * `npm run release -- --dry-run`: checks everything that a release needs and that a machine can see. Publishes nothing: the tag does
 * (`.github/workflows/release.yml`). Exits 0 if everything holds, else 1; 2 on wrong usage.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAndPack } from '../tests/support/package/project.ts';
import { proveImages } from './prove/images.ts';

interface Step {
  readonly name: string;
  /** Returns a sentence for each demand that is not met. */
  check(): Promise<readonly string[]> | readonly string[];
}

const read = (file: string) => readFileSync(file, 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

const STEPS: readonly Step[] = [
  {
    name: 'the version is the same everywhere',
    check() {
      const lock = JSON.parse(read('package-lock.json')) as { version: string };
      const named = ['README.md', 'docs/install.md', 'docs/emulator.md', 'examples/container/Containerfile'];
      const other = named.flatMap((file) =>
        [...read(file).matchAll(/legacy-(?:api-conformance|emulator)[-:](\d+\.\d+\.\d+)/g)]
          .filter(([, found]) => found !== version)
          .map(([, found]) => `${file} names ${found}; package.json says ${version}`),
      );
      return [
        ...(lock.version === version ? [] : [`package-lock.json says ${lock.version}`]),
        ...new Set(other),
      ];
    },
  },
  {
    name: 'the changelog has the version, with its day',
    check: () =>
      new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm').test(
        read('CHANGELOG.md'),
      )
        ? []
        : [`CHANGELOG.md: expected a heading \`## ${version} (YYYY-MM-DD)\``],
  },
  {
    name: 'nothing is uncommitted, and the tag is free',
    check: () => [
      ...(git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed']),
      ...(git('tag', '--list', `v${version}`) === ''
        ? []
        : [`the tag v${version} exists: raise the version`]),
    ],
  },
  {
    name: "the action's default installs its own version",
    check: () =>
      /version of this action when empty/i.test(read('action.yml'))
        ? []
        : ['action.yml: `package` has another default'],
  },
  { name: 'the package is packed, installed and used', check: packedAndUsed },
  { name: 'the images are built and run', check: proveImages },
];

function packedAndUsed(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const { file } = buildAndPack(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', file], { cwd: folder, stdio: 'ignore' });
    const { status, stdout } = spawnSync('npx', ['--no-install', 'legacy-conformance', 'check'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return status === 0
      ? []
      : [`\`check\` of the installed package ended with ${status}: ${stdout.slice(-400)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
if (!values['dry-run']) {
  console.error(
    'release: expected --dry-run; to publish, push the tag that docs/development/releasing.md names',
  );
  process.exitCode = 2;
} else {
  let missing = 0;
  for (const { name, check } of STEPS) {
    const problems = await check();
    missing += problems.length;
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name}`);
    for (const problem of problems) console.log(`        ${problem}`);
  }
  console.log(missing === 0 ? `ready: git tag v${version} && git push origin v${version}` : 'not ready');
  process.exitCode = missing === 0 ? 0 : 1;
}

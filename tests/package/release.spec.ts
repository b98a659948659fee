/** A release: its version from one place, its provenance and bill of materials, and where vulnerabilities are reported. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { suiteVersion } from '../../src/commands/shared/own-package.ts';
import { PROVE } from '../support/prove.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(textOf('package.json')) as { version: string };

/** The part of a workflow that is read here. */
interface Release {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: unknown;
        readonly steps: readonly { readonly name?: string; readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}

const release = parse(textOf('.github/workflows/release.yml')) as Release;
const steps = release.jobs.publish?.steps ?? [];
const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

test('the version is in package.json, and everything else takes it from there', async () => {
  expect(suiteVersion()).toBe(version);
  const lock = JSON.parse(textOf('package-lock.json'));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
  const named = ['src', 'scripts', 'spec'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|js)$/.test(file))
      .map((file) => join(folder, file))
      .filter((file) => textOf(file).includes(`'${version}'`)),
  );
  expect(named).toEqual([]);
  expect(textOf('CHANGELOG.md')).toMatch(/^## [\d.]+ \(unreleased\)$/m);
});

test('a tag releases only the version that it names', PROVE, () => {
  expect(release.on.push.tags).toEqual(['v*']);
  const script = commands.find((run) => run.includes('$TAG'));
  const released = (tag: string) =>
    spawnSync('bash', ['-eo', 'pipefail', '-c', script ?? 'false'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, TAG: tag },
    }).status;
  expect(released(`v${version}`)).toBe(0);
  for (const tag of ['v99.0.0', version, 'v']) expect(released(tag), tag).not.toBe(0);
});

test('it is tested, built, described and published with provenance, in this order, and by no stored token', () => {
  const order = [
    '.ci/run',
    'npm run prove',
    'npm run build',
    'repository.url',
    'npm sbom',
    'npm publish ./dist/package --provenance',
  ];
  const at = order.map((command) => commands.findIndex((run) => run.includes(command)));
  expect(at).not.toContain(-1);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(release.permissions).toEqual({ contents: 'read' });
  expect(release.jobs.publish?.permissions).toEqual({
    contents: 'write',
    'id-token': 'write',
    // The images.
    packages: 'write',
  });
  const text = textOf('.github/workflows/release.yml');
  expect(text).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
  for (const run of commands) expect(run, 'an expression in a script can be a command').not.toContain('${{');
});

test('SECURITY.md says how to report, and README leads there', () => {
  expect(textOf('SECURITY.md')).toMatch(/## Reporting a vulnerability\n\n.*private vulnerability reporting/);
  expect(textOf('README.md')).toContain('](SECURITY.md)');
});

/** The manifest of a record: `verify-record` names each file that is not as recorded, and the manifest holds no secret and no address. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { RecordManifest } from '../../generated/schemas.d.ts';
import { validateManifest } from '../../generated/validators.js';
import { observedTarget } from '../../src/app/observe.ts';
import { fileDigest, manifestOf, recordFindings } from '../../src/profiles/manifest.ts';
import { runHere } from '../support/command-here.ts';
import { textOf } from '../support/documentation/pages.ts';

async function recorded(...more: readonly string[]): Promise<string> {
  const folder = test.info().outputPath('record');
  const options = ['--probe', 'refresh-fate', '--requests', '60', '--seed', '1', '--stories', folder];
  const { code, stderr } = await runHere(['observe', ...options, ...more]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('manifest.json')]);
  return folder;
}

const read = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as RecordManifest;

function write(folder: string, change: (manifest: RecordManifest) => unknown): void {
  const manifest = read(folder);
  change(manifest);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

test('a record is as its manifest says, however the manifest is indented, with signatures beside it', async () => {
  const folder = await recorded();
  expect([validateManifest(read(folder)), validateManifest.errors]).toEqual([true, null]);
  write(folder, () => undefined);
  writeFileSync(join(folder, 'manifest.json.sig'), 'signature');
  const { code, stdout } = await runHere(['verify-record', folder]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('unchanged: 2 files')]);
  expect(stdout).toContain('manifest.json.sig');
});

const ALTERED: readonly (readonly [what: string, alter: (folder: string) => void, line: string])[] = [
  [
    'one byte of the profile',
    (folder) => {
      const file = join(folder, 'profile.yaml');
      const bytes = readFileSync(file);
      bytes[100] = (bytes[100] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    'profile.yaml: changed',
  ],
  [
    'a byte behind the stories',
    (folder) => appendFileSync(join(folder, 'stories.json'), '\n'),
    'stories.json: changed',
  ],
  ['no stories', (folder) => rmSync(join(folder, 'stories.json')), 'stories.json: missing'],
  [
    'another name',
    (folder) => renameSync(join(folder, 'profile.yaml'), join(folder, 'staging.yaml')),
    'staging.yaml: not part',
  ],
  ['one more file', (folder) => writeFileSync(join(folder, 'notes.txt'), ''), 'notes.txt: not part'],
  ['a folder', (folder) => mkdirSync(join(folder, 'more')), 'more: not part'],
  [
    'digest of the suite',
    (folder) =>
      write(folder, ({ predicate }) => {
        predicate.suite.digest.sha256 = '0'.repeat(64);
      }),
    'manifest.json: changed',
  ],
  [
    'day',
    (folder) =>
      write(folder, ({ predicate }) => {
        predicate.recordedAt = '2027-01-01T00:00:00Z';
      }),
    'manifest.json: changed',
  ],
  [
    'a file that the manifest no longer names',
    (folder) => write(folder, (manifest) => manifest.subject.pop()),
    'stories.json: not part',
  ],
  [
    'half a manifest',
    (folder) => writeFileSync(join(folder, 'manifest.json'), '{"_type":'),
    'manifest.json: changed',
  ],
];

for (const [what, alter, line] of ALTERED)
  test(`verify-record names what was altered: ${what}`, async () => {
    const folder = await recorded();
    alter(folder);
    const { code, stdout } = await runHere(['verify-record', folder]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(line)]);
    const json = await runHere(['verify-record', folder, '--json']);
    expect([json.code, JSON.parse(json.stdout).exitCode]).toEqual([1, 1]);
  });

/** The differences between two records. */
const plain = (text: string) =>
  text
    .replace(/record of .*, \d+ \+ \d+ requests/, 'record of …')
    .replace(/suite \S+, sha256:[0-9a-f]{12}…/, 'suite …');

test('the page shows what verify-record prints', async () => {
  const folder = await recorded();
  appendFileSync(join(folder, 'stories.json'), '\n');
  const { stdout } = await runHere(['verify-record', folder]);
  const [, shown = ''] = /excerpt of: .*\n```\n([^`]+)```/.exec(textOf('docs/evidence.md')) ?? [];
  expect(shown).not.toBe('');
  expect(plain(stdout)).toContain(plain(shown));
});

test('the manifest of another record does not fit', () => {
  const about = {
    suite: { version: '1', digest: { sha256: fileDigest('') } },
    target: { name: 'a', kind: 'live' as const },
    recordedAt: '2026-11-24T00:00:00Z',
    risks: [],
    requests: { probes: 1, stories: 1 },
  };
  const manifest = manifestOf(new Map([['profile.yaml', fileDigest('one')]]), about);
  expect(recordFindings(manifest, new Map([['profile.yaml', fileDigest('one')]]))).toEqual([]);
  expect(recordFindings(manifest, new Map([['profile.yaml', fileDigest('two')]]))).toEqual([
    { file: 'profile.yaml', found: 'changed' },
  ]);
});

test('no manifest is exit 2, and so are addresses without a manifest', async () => {
  const none = await runHere(['verify-record', test.info().outputPath('.')]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('`observe --stories`')]);
  const addresses = await runHere(['observe', '--addresses']);
  expect([addresses.code, addresses.stderr]).toEqual([2, expect.stringContaining('--stories DIR')]);
});

for (const addresses of [false, true])
  test(`a manifest holds no secret, and ${addresses ? 'the addresses that the user allows' : 'no address'}`, async () => {
    const { secrets, record, troubles } = await observedTarget(
      {
        ...{ target: 'emulator', profile: 'by-the-rfc', defects: ['token-error-tells-secret'], risks: [] },
        ...{ probes: [], waitExpiry: false, stories: { requests: 200, seed: 1 }, addresses },
      },
      {},
    );
    const text = record?.manifest ?? '';
    expect(secrets.size).toBeGreaterThan(20);
    expect([secrets.find(text), troubles]).toEqual([[], []]);
    const { subject, predicate } = JSON.parse(text) as RecordManifest;
    expect(subject.map(({ name }) => name)).toEqual(['profile.yaml', 'stories.json']);
    expect([predicate.target.authUrl, predicate.target.baseUrl].map((url) => url !== undefined)).toEqual([
      addresses,
      addresses,
    ]);
    expect(text.includes('//', text.indexOf('"predicate"'))).toBe(addresses);
  });

import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { findCanaries } from '../../support/canary/find-canaries.ts';
import { zip } from '../../support/canary/zip.ts';

/** The search that the canary tests rely on: what it cannot find, they cannot miss. */

const SECRET = 'canary+/&="<x>" ü-0123456789';
const CANARY = { kind: 'secret', value: SECRET };
const BASE64 = Buffer.from(`id:${SECRET}:end`).toString('base64');

const HIDDEN: Readonly<Record<string, Buffer>> = {
  raw: Buffer.from(`a ${SECRET} b`),
  'URL-encoded': Buffer.from(`?x=${encodeURIComponent(SECRET)}&y`),
  'form-encoded': Buffer.from(new URLSearchParams({ x: 'canary a b' }).toString()),
  'JSON-encoded': Buffer.from(JSON.stringify({ x: SECRET })),
  'HTML-encoded': Buffer.from('<p>canary+/&amp;=&quot;&lt;x&gt;&quot; ü-0123456789</p>'),
  'base64-encoded': Buffer.from(BASE64),
  'base64-encoded, one byte further': Buffer.from(Buffer.from(`a${SECRET}b`).toString('base64')),
  'base64-encoded, two bytes further': Buffer.from(Buffer.from(`ab${SECRET}b`).toString('base64')),
  gzipped: gzipSync(SECRET),
  'gzipped twice': gzipSync(gzipSync(`x ${SECRET}`)),
  zipped: zip(Buffer.from(SECRET)),
  'zipped, in base64, in a page': Buffer.from(
    `<script>data:application/zip;base64,${zip(Buffer.from(SECRET)).toString('base64')}</script>`,
  ),
};

for (const [how, bytes] of Object.entries(HIDDEN)) {
  test(`a secret is found ${how}, in a file in a folder`, () => {
    const folder = test.info().outputPath('written', 'deeper');
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/file.bin`, bytes);
    const canary = how === 'form-encoded' ? { kind: 'secret', value: 'canary a b' } : CANARY;
    const finds = findCanaries([canary], { paths: [test.info().outputPath('written')], printed: {} });
    expect(finds.length, finds.join('\n')).toBeGreaterThan(0);
    expect(finds.join('\n')).toContain('file.bin holds a secret');
    expect(finds.join('\n')).not.toContain(canary.value);
  });
}

test('a secret is found in what was printed, and nothing is found where nothing is', () => {
  const printed = { stdout: `token ${SECRET}`, stderr: 'nothing' };
  expect(findCanaries([CANARY], { paths: ['no-such-folder'], printed })).toEqual([
    'stdout holds a secret, raw',
  ]);
});

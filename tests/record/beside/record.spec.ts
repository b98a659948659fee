/** Stories that are kept with their answers: another target is played against them, and they hold no secret and no person. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { BesideFile, StoriesFile } from '../../../generated/schemas.d.ts';
import { validateStories } from '../../../generated/validators.js';
import { observedTarget } from '../../../src/cli/observe.ts';
import { runHere } from '../../support/command-here.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

/** Faults that tell a secret where an answer is kept: in the name of a parameter, in an error's description, in a header. */
const TELLING = [
  'authorize-code-unencoded',
  'token-error-tells-code',
  'token-error-tells-secret',
  'token-error-header-tells-refresh-token',
];

const KNOWN_PARAMETERS = ['code', 'state', 'error', 'error_description', '*', 'none'];

test(
  'a record of a service: the service itself answers as recorded, a faulty one does not',
  PROVE,
  async () => {
    const record = test.info().outputPath('record');
    const report = test.info().outputPath('report');
    const profile = ['--profile', 'by-the-rfc'];
    const made = await runHere([
      'observe',
      ...profile,
      '--stories',
      record,
      '--requests',
      '500',
      '--seed',
      '1',
    ]);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('stories: ')]);
    const stories = JSON.parse(readFileSync(join(record, 'stories.json'), 'utf8')) as StoriesFile;
    expect([validateStories(stories), validateStories.errors]).toEqual([true, null]);
    expect(stories.answers.length).toBeLessThan(200);
    const against = (...args: readonly string[]) =>
      runHere(['explore', ...profile, '--beside', record, '--report', report, ...args]);
    const same = await against();
    expect(same.stdout).toContain('no difference');
    expect(same.code).toBe(0);
    const other = await against('--defect', 'exchange-replay-revokes-nothing');
    expect(other.code).toBe(1);
    const file = JSON.parse(readFileSync(join(report, 'beside.json'), 'utf8')) as BesideFile;
    expect(file.left.kind).toBe('record');
    expect(file.differences.some(({ story }) => story?.facet === 'outcome')).toBe(true);
  },
);

for (const [defect, details] of firstInTest(TELLING, 1))
  test(`a record of a service that tells secrets holds none: ${defect}`, details, async () => {
    const { secrets, record, troubles } = await observedTarget({
      ...{ target: 'emulator', profile: 'by-the-rfc', defects: [defect], risks: [], probes: [] },
      ...{ waitExpiry: false, stories: { requests: 400, seed: 1 } },
    });
    const text = record?.stories?.text ?? '';
    expect(record?.stories?.record.stories.length).toBeGreaterThan(3);
    expect(secrets.register('code', 'the next one')).toMatch(/#\d{2,}$/);
    expect(secrets.find(text)).toEqual([]);
    expect(troubles.filter(({ message }) => message.startsWith('the stories'))).toEqual([]);
    for (const { facets } of record?.stories?.record.answers ?? [])
      for (const name of facets.parameters?.replace(/(query|fragment): |;/g, '').split(' ') ?? [])
        expect(KNOWN_PARAMETERS).toContain(name);
  });

test('a folder without a record is exit 2', async () => {
  const { code, stderr } = await runHere(['explore', '--beside', test.info().outputPath('.')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('`observe --stories`')]);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { frozenProfile } from '../../src/app/read-profile.ts';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import { startEmulator } from '../../src/emulator/start-emulator.ts';
import { answersOf } from '../../src/profiles/answers-of.ts';

/** Files of version 0.1 held options of the emulator by open point; they are read as what they made it show. */

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const WRITTEN = fileOf('tests/support/observing/version-0.1.adversarial.yaml');
const RECORDED = fileOf('tests/support/observing/version-0.1.recorded.yaml');

test('a profile that a person wrote for version 0.1 says what today’s says', async () => {
  const [former, today] = [await loadProfile(WRITTEN), await loadProfile('adversarial')];
  expect(former.answers).toEqual(today.answers);
});

test('a recorded one keeps what was seen, and its digest is made anew', async () => {
  const [former, today] = [
    await frozenProfile('compare', RECORDED),
    await frozenProfile('compare', fileOf('examples/shim/recorded/staging.yaml')),
  ];
  expect([...answersOf(former)]).toEqual([...answersOf(today)]);
  expect(answersOf(former).size).toBe(21);
  expect(former.digest).toBe(today.digest);
});

test('one that was changed by hand is none to `compare`, as before', async () => {
  const changed = test.info().outputPath('changed.yaml');
  writeFileSync(changed, readFileSync(RECORDED, 'utf8').replace('order: assigned-first', 'order: by-id'));
  await expect(frozenProfile('compare', changed)).rejects.toThrow('changed by hand');
});

test('a program may hand its profile of version 0.1 to the emulator', async () => {
  const profile = parse(readFileSync(WRITTEN, 'utf8'));
  const emulator = await startEmulator({ profile, listen: false });
  expect(emulator.profile.answers['lifetimes.code']).toBe(30);
});

test('one that lacks answers is refused with its file', async () => {
  const lacking = test.info().outputPath('lacking.yaml');
  writeFileSync(lacking, readFileSync(WRITTEN, 'utf8').replace(/^ {2}lifetimes:\n.*\n.*\n/m, ''));
  await expect(loadProfile(lacking)).rejects.toThrow(/lacking\.yaml:1: .*version 0\.1 that lacks answers/);
});

test('today’s answers need not be whole: the base has the others', async () => {
  const file = test.info().outputPath('own.yaml');
  const head = 'name: own\ntitle: Own\nsummary: One answer of its own.\nwarnings: []\n';
  writeFileSync(file, `${head}base: by-the-rfc\nanswers: { lifetimes.code: 45 }\n`);
  const base = await loadProfile('by-the-rfc');
  expect((await loadProfile(file)).answers).toEqual({ ...base.answers, 'lifetimes.code': 45 });
  writeFileSync(file, `${head}base: nobody\nanswers: {}\n`);
  await expect(loadProfile(file)).rejects.toThrow(/own\.yaml:5: base: expected .*adversarial/);
  writeFileSync(file, `${head}answers: { lifetimes.code: soon }\n`);
  await expect(loadProfile(file)).rejects.toThrow(/own\.yaml:5: answers/);
});

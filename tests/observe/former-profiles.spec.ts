import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { frozenProfile } from '../../src/app/read-profile.ts';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import { startEmulator } from '../../src/emulator/start-emulator.ts';
import { answersOf, digestOf } from '../../src/profiles/answers-of.ts';

/** Files of version 0.1 held options of the emulator by open point. Recorded ones are read where one option says what was seen. */

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const WRITTEN = fileOf('tests/support/observing/version-0.1.adversarial.yaml');
const RECORDED = fileOf('tests/support/observing/version-0.1.recorded.yaml');

test('a recorded one keeps what one option said, and its digest is made anew', async () => {
  const [former, today] = [
    await frozenProfile('compare', RECORDED),
    await frozenProfile('compare', fileOf('examples/shim/recorded/staging.yaml')),
  ];
  const [read, seen] = [answersOf(former), answersOf(today)];
  for (const [aspect, answer] of read) expect([aspect, answer]).toEqual([aspect, seen.get(aspect)]);
  expect([read.size, seen.size]).toEqual([14, 21]);
  expect(former.digest).toBe(digestOf(former));
});

test('one that was changed by hand is none to `compare`, as before', async () => {
  const changed = test.info().outputPath('changed.yaml');
  writeFileSync(changed, readFileSync(RECORDED, 'utf8').replace('order: assigned-first', 'order: by-id'));
  await expect(frozenProfile('compare', changed)).rejects.toThrow('changed by hand');
});

test('one that a person wrote is refused, as a file and by a program', async () => {
  await expect(loadProfile(WRITTEN)).rejects.toThrow(
    /adversarial\.yaml:1: .*version 0\.1: write its answers/,
  );
  const profile = parse(readFileSync(WRITTEN, 'utf8'));
  await expect(startEmulator({ profile, listen: false })).rejects.toThrow('version 0.1: write its answers');
});

test('a recorded one that lacks answers is refused with its file', async () => {
  const lacking = test.info().outputPath('lacking.yaml');
  writeFileSync(lacking, readFileSync(RECORDED, 'utf8').replace(/^ {2}pkce: .*\n/m, ''));
  await expect(loadProfile(lacking)).rejects.toThrow(
    /lacking\.yaml:1: .*version 0\.1 that lacks answers to pkce/,
  );
});

test('what depends on several options is not read, and says so', async () => {
  const whole = test.info().outputPath('whole.yaml');
  const recorded = readFileSync(RECORDED, 'utf8').replace(
    /^ {2}notObserved:\n(?: {4}.*\n)+/m,
    '  notObserved: {}\n',
  );
  writeFileSync(whole, recorded.replace(/^digest: .*\n/m, ''));
  const { answers, observed } = await loadProfile(whole);
  expect(answers['lifetimes.code']).toBe(600);
  expect(answers['neighbours.token-info']).toBe(200);
  expect(observed?.notObserved['token-failures.exchange.no-code']).toContain('observe again');
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

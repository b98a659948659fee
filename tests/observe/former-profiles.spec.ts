import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse, stringify } from 'yaml';
import { frozenProfile } from '../../src/app/read-profile.ts';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import { startEmulator } from '../../src/emulator/start-emulator.ts';
import { answersOf, digestOf } from '../../src/profiles/answers-of.ts';
import { aspectIds } from '../../src/profiles/aspects.ts';

/** Files of version 0.1 held options of the emulator by open point. Recorded ones are read where one option says what was seen. */

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const ANSWERED = readFileSync(fileOf('tests/support/observing/version-0.1.recorded.yaml'), 'utf8');
/** Aspects that version 0.1 did not have. */
const LATER =
  /challenge-(?:description|scope)$|redirect-(?:issuer|scope)$|token-in-fragment$|\.revoked$|token-length$|scope-order$/;

/** A file with a record of version 0.1, which asked for two open points alone; `change` edits its text. */
function recorded(change = (text: string) => text): string {
  const asked = /^(?:operation-answers|list-shape)\./;
  const unseen = aspectIds.filter((aspect) => !asked.test(aspect) && !LATER.test(aspect));
  const reasons = unseen.map((aspect) => `    ${aspect}: not asked for (--probe names others)\n`).join('');
  const file = test.info().outputPath('recorded.yaml');
  writeFileSync(file, change(ANSWERED.replace('notObserved: {}\n', `notObserved:\n${reasons}`)));
  return file;
}

test('a recorded one keeps what one option said, and its digest is made anew', async () => {
  const [former, today] = [
    await frozenProfile('compare', recorded()),
    await frozenProfile('compare', fileOf('examples/shim/recorded/staging.yaml')),
  ];
  const [read, seen] = [answersOf(former), answersOf(today)];
  for (const [aspect, answer] of read) expect([aspect, answer]).toEqual([aspect, seen.get(aspect)]);
  expect([read.size, seen.size]).toEqual([14, 21]);
  expect(former.digest).toBe(digestOf(former));
});

test('one that was changed by hand is none to `compare`, as before', async () => {
  const changed = recorded((text) => text.replace('order: assigned-first', 'order: by-id'));
  await expect(frozenProfile('compare', changed)).rejects.toThrow('changed by hand');
});

test('one that a person wrote is refused, as a file and by a program', async () => {
  const { observed: _, ...profile } = parse(ANSWERED);
  const written = test.info().outputPath('written.yaml');
  writeFileSync(written, stringify(profile));
  await expect(loadProfile(written)).rejects.toThrow(/written\.yaml:1: .*version 0\.1: write its answers/);
  await expect(startEmulator({ profile, listen: false })).rejects.toThrow('version 0.1: write its answers');
});

test('a recorded one that lacks answers is refused with its file', async () => {
  const lacking = recorded((text) => text.replace(/^ {2}pkce: .*\n/m, ''));
  await expect(loadProfile(lacking)).rejects.toThrow(
    /recorded\.yaml:1: .*version 0\.1 that lacks answers to pkce/,
  );
});

test('what depends on several options is not read, and says so', async () => {
  const whole = recorded(() => ANSWERED.replace(/^digest: .*\n/m, ''));
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

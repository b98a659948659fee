import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { DOCUMENTED_VARIABLES } from '../../../scripts/reference/environment.ts';
import { explain, explainText } from '../../../src/commands/explain/verb.ts';
import { UsageError } from '../../../src/document/input/usage-error.ts';
import { runHere } from '../../support/command-here.ts';

/** The verb `explain`, and parts of the suite that the reference pages must name. */

test('explain: what it demands, why, how, what breaks it and who was seen with it', async () => {
  const [one] = await explain(['exchange.code-replay-revokes']);
  expect(one?.brokenBy.map(({ id }) => id)).toContain('exchange-replay-revokes-nothing');
  expect(one?.seenWith.map(({ profile }) => profile)).toContain('doorkeeper-5');
  const text = explainText(one === undefined ? [] : [one]);
  expect(
    text.startsWith('exchange.code-replay-revokes  (standard, clause 2.2, RFC 6749 section 4.1.2)\n'),
  ).toBe(true);
  for (const said of [one?.statement, one?.why, one?.how])
    expect(text.replace(/\s+/g, ' ')).toContain(said?.replace(/\s+/g, ' '));
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(110);
});

test('explain: a clause means all of its requirements; what is neither is refused with what comes nearest', async () => {
  expect((await explain(['4.3', '8'])).map(({ clause }) => clause)).toContain('8');
  await expect(explain(['exchange.single-use'])).rejects.toThrow(UsageError);
  await expect(explain(['single-use'])).rejects.toThrow('exchange.code-single-use');
});

/** Of the operating system, and those that only the suite's own development sets. */
const ELSEWHERE =
  /^(PATH|HOME|DISPLAY|WAYLAND_DISPLAY|CI|GITHUB_ACTIONS|GITLAB_CI|TF_BUILD|CIRCLECI|BUILDKITE|JENKINS_URL|GIT_LOCAL_BRANCH|LEGACY_CLIENT_SECRET|NODE_OPTIONS)$/;

test('every environment variable that the suite reads has its place in the reference', () => {
  const src = fileURLToPath(new URL('../../../src/', import.meta.url));
  const texts = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(src, file), 'utf8'));
  const read = new Set(
    texts.flatMap((text) =>
      [
        ...text.matchAll(/\benv\.([A-Z][A-Z0-9_]{2,})\b|'((?:LEGACY_CONFORMANCE|PACT_BROKER)_[A-Z_]+)'/g),
      ].flatMap(([, one, other]) => one ?? other ?? []),
    ),
  );
  expect([...read].filter((name) => !DOCUMENTED_VARIABLES.has(name) && !ELSEWHERE.test(name))).toEqual([]);
});

test('explain: a requirement on clients says what a user suffers, how to fix it and what shows it; a group beside one on services', async () => {
  const end = await runHere(['explain', 'pair.own-user', 'exchange.code-single-use']);
  expect(end.code, end.stderr).toBe(0);
  for (const said of [
    'demands   of a client: Each user',
    'fix       Store one pair',
    'second-user-meanwhile',
    'exchange.code-single-use  (documented',
  ])
    expect(end.stdout).toContain(said);
  const json = await runHere(['explain', 'pair', '--json']);
  const all: readonly { id: string; subject: string }[] = JSON.parse(json.stdout);
  expect(all.length).toBeGreaterThan(3);
  expect(all.every(({ id, subject }) => id.startsWith('pair.') && subject === 'client')).toBe(true);
  const neither = await runHere(['explain', 'pairs']);
  expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('pairs')]);
});

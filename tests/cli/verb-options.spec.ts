/** `--json`, `--quiet` and `--verbose`: which verb has which, why another has not, and that each does what it says. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { Command } from 'commander';
import { verbs } from '../../src/cli/verbs/program.ts';
import { runHere } from '../support/command-here.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SHARED = ['json', 'quiet', 'verbose'] as const;
type Shared = (typeof SHARED)[number];

/** A verb with results, how it is called quickly, and which of the shared options it has. */
interface Verb {
  readonly has: readonly Shared[];
  readonly args?: readonly string[];
  /** A text that its output has and its quiet output has not. */
  readonly said?: string;
}

const ONE = ['--only', 'exchange.token-type-bearer'];

/**
 * Every verb that has results. `--quiet` is for verdicts with evidence above them; `--verbose` for verbs whose requests are the suite's own and
 * few enough to read.
 */
const WITH_RESULTS: Readonly<Record<string, Verb>> = {
  check: { has: ['json', 'quiet', 'verbose'], args: ONE, said: 'clause ' },
  explore: { has: ['json', 'quiet'], args: ['--requests', '60', '--seed', '1'], said: 'clause ' },
  client: { has: ['json', 'quiet'], args: ['--', process.execPath, '--version'], said: 'clause ' },
  observe: { has: ['verbose'], args: ['--probe', 'refresh-fate'] },
  compare: { has: ['json'], args: ['doorkeeper-5', 'by-the-rfc'] },
  explain: { has: ['json'], args: ['exchange.code-single-use'] },
  handover: { has: ['json'] },
  'contracts verify': { has: ['json', 'verbose'] },
  'contracts states': { has: ['json'], args: [] },
};

/** Verbs without results of their own, and what they are for. */
const WITHOUT: Readonly<Record<string, string>> = {
  emulate: 'serves; its --json is what it prints at its start',
  replay: 'prints curl commands for a shell; the check that it runs again has its results in a report',
  init: 'writes files',
  'install-browser': 'installs',
  'sign-in': 'saves a session',
  doctor: 'prints its steps as they end',
  sweep: 'unassigns, one line for each project; its exit code says whether it could',
  'contracts publish': 'publishes, and prints what the broker says',
};

const all = () =>
  verbs().flatMap((verb): readonly (readonly [string, Command])[] =>
    verb.commands.length === 0
      ? [[verb.name(), verb]]
      : verb.commands.map((one) => [`${verb.name()} ${one.name()}`, one] as const),
  );

test('every verb is in the table, with the options that it has', () => {
  const rows = all().flatMap(([name, verb]) => {
    if (name in WITHOUT) return [];
    return [[name, SHARED.filter((option) => verb.options.some(({ long }) => long === `--${option}`))]];
  });
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(WITH_RESULTS).map(([name, { has }]) => [name, has])),
  );
});

/** Verbs that need no service, with an option. */
const TRIED = Object.entries(WITH_RESULTS).flatMap(([name, { has, args, said }]) =>
  args === undefined ? [] : has.map((option) => ({ name, args, option, said })),
);

for (const [{ name, args, option, said }, details] of firstInTest(TRIED, 2))
  test(`${name} --${option}`, details, async () => {
    const folder = test.info().outputPath('report');
    mkdirSync(folder, { recursive: true });
    const report = ['check', 'explore', 'client'].includes(name) ? ['--report', folder] : [];
    const cut = args.indexOf('--') < 0 ? args.length : args.indexOf('--');
    const given = [...name.split(' '), ...report, `--${option}`, ...args.slice(0, cut), ...args.slice(cut)];
    const { stdout, stderr } = await runHere(given, {});
    if (option === 'json') expect(() => JSON.parse(stdout), stdout + stderr).not.toThrow();
    if (option === 'verbose') expect(stderr).toMatch(/\b(GET|POST) \S+ \d{3} /);
    if (option === 'quiet') {
      expect(stdout).toMatch(/\(exit \d\)/);
      expect(stdout).not.toContain(said ?? '');
    }
  });

test('contracts verify --json --verbose', PROVE, async () => {
  const pact = join(ROOT, 'contracts/pacts/legacy-api-reference-client-legacy-resource-api.json');
  const { code, stdout, stderr } = await runHere(
    ['contracts', 'verify', '--json', '--verbose', '--pact', pact],
    {},
  );
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toBeTruthy();
  expect(stderr).toMatch(/\b(GET|POST) \S+ \d{3} /);
});

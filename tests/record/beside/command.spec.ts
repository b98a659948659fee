/** `explore --beside` as a user calls it: exit codes, report, and that every aspect in which two profiles differ is named. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { validateBeside } from '../../../generated/development-validators.js';
import type { BesideFile } from '../../../generated/schemas.d.ts';
import { compareTargets } from '../../../src/commands/explore/beside.ts';
import { answersOf } from '../../../src/document/profiles/answers-of.ts';
import { aspectIds, sameAnswer } from '../../../src/document/profiles/aspects.ts';
import { loadProfile, profileIds } from '../../../src/emulator/policy/load-profile.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { runHere } from '../../support/command-here.ts';
import { PROVE } from '../../support/prove.ts';

async function explored(...args: readonly string[]) {
  const report = test.info().outputPath('report');
  const end = await runHere(['explore', '--seed', '1', '--requests', '150', '--report', report, ...args]);
  const read = (name: string) => readFileSync(join(report, name), 'utf8');
  return {
    ...end,
    report,
    file: () => JSON.parse(read('beside.json')) as BesideFile,
    page: () => read('beside.html'),
  };
}

test('the same profile twice: exit 0, and the file is as its schema says', async () => {
  const { code, stdout, file } = await explored('--beside', 'doorkeeper-5');
  expect(stdout).toContain('profile doorkeeper-5 (left) beside profile doorkeeper-5 (right)\n');
  expect(stdout).toContain('\nno difference (exit 0): ');
  expect(stdout).toContain('(100.0 %)');
  expect(code).toBe(0);
  expect([validateBeside(file()), validateBeside.errors]).toEqual([true, null]);
  expect(file()).toMatchObject({ verdict: 'alike', differences: [], noise: [], notCompared: [] });
});

test(
  'two profiles: exit 1, each difference with its story, both answers side by side in text, page and JSON',
  PROVE,
  async () => {
    const { code, stdout, file, page } = await explored('--beside', 'by-the-rfc', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(file());
    expect([validateBeside(file()), validateBeside.errors]).toEqual([true, null]);
    const { differences, parity } = file();
    expect(parity.inOutcome).toBeGreaterThan(parity.inAll);
    const reported = differences.find(({ story, probe }) => story !== undefined && probe !== undefined);
    expect(reported?.story?.again).toEqual({ shown: 3, of: 3 });
    expect(page()).toContain(`>${reported?.about}</a>`);
    expect(page()).toContain('<p class="cap">profile by-the-rfc</p>');
  },
);

test('wrong usage is exit 2 before anything is sent', async () => {
  const own = test.info().outputPath('own.json');
  writeFileSync(own, '{}');
  for (const [args, said] of [
    [['--beside', 'none.config.json'], /--beside: there is no file none\.config\.json/],
    [['--beside', 'doorkeeper-55'], /doorkeeper-55.*doorkeeper-5/s],
    [
      ['--beside', 'doorkeeper-5', '--replay', own],
      /'--beside <file>' cannot be used with option '--replay <file>'/,
    ],
  ] as const) {
    const { code, stderr } = await explored(...args);
    expect(stderr).toMatch(said);
    expect(code).toBe(2);
  }
});

/** HTTP libraries hide the letter case of header names: probes and stories ask over sockets. */
const UNREACHABLE: readonly string[] = [];

for (const other of profileIds().filter((id) => id !== 'doorkeeper-5'))
  test(
    `every aspect in which doorkeeper-5 and ${other} differ is found, by a probe or a story`,
    PROVE,
    async () => {
      test.setTimeout(600_000);
      const [one, two] = [answersOf(await loadProfile('doorkeeper-5')), answersOf(await loadProfile(other))];
      const differ = aspectIds.filter((id) => {
        const [left, right] = [one.get(id), two.get(id)];
        return left !== undefined && right !== undefined && !sameAnswer(left, right);
      });
      const { differences } = await compareTargets(
        {
          target: 'emulator',
          profile: 'doorkeeper-5',
          defects: [],
          beside: other,
          risks: [],
          ...{
            seed: 1,
            explore: 1_000,
            report: test.info().outputPath('report'),
            signal: new AbortController().signal,
          },
        },
        new SecretRegistry(),
      );
      const found = new Map(differences.map((entry) => [entry.about, entry]));
      const rows = differ.map((id) => {
        const { probe, story } = found.get(id) ?? {};
        return `${id}: ${story === undefined ? '' : `story of ${story.steps.length} steps after ${story.afterRequests} requests`}${probe === undefined ? '' : ' probe'}`;
      });
      test.info().annotations.push({ type: 'table', description: rows.join('\n') });
      console.log(`doorkeeper-5 beside ${other}: ${differ.length} aspects differ\n${rows.join('\n')}`);
      expect(differ.filter((id) => !found.has(id))).toEqual(UNREACHABLE);
    },
  );

/** Each verb finds a place that it cannot write before it sends anything: exit 2 with the option and the path. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { runHere } from '../../support/command-here.ts';
import { firstInTest } from '../../support/prove.ts';

const LONG = 'a'.repeat(300);

/** The system lets nothing be made there, and says that it does not exist. */
const NO_FOLDER = '/proc/no-folder/report';

const REPORTS = {
  check: ['check', '--only', '9'],
  explore: ['explore', '--requests', '20'],
  'explore --beside': ['explore', '--requests', '20', '--beside', 'by-the-rfc'],
  client: ['client', '--', process.execPath, '--version'],
  'client --attach': ['client', '--attach', 'http://127.0.0.1:9', '--control-token', 'env:PATH'],
} as const;

const FILES = {
  'observe --out': ['observe', '--out'],
  'check --history': ['check', '--smoke', '--history'],
  'emulate --dotenv': ['emulate', '--dotenv'],
  'emulate --state': ['emulate', '--state'],
} as const;

async function refused(args: readonly string[], path: string, env = {}): Promise<void> {
  const { code, stdout, stderr } = await runHere(args, env);
  expect(stderr).toContain(path);
  expect(stderr).not.toMatch(/\bat .*\.ts:\d/);
  expect(stdout).not.toContain('conforms');
  expect(code, stderr).toBe(2);
}

for (const [[verb, args], details] of firstInTest(Object.entries(REPORTS), 2))
  test(`${verb}: a report folder that cannot be`, details, async () => {
    const here = test.info().outputPath('');
    mkdirSync(here, { recursive: true });
    writeFileSync(`${here}/file`, '');
    const long = [LONG, `deeper/${LONG}/deeper`, 'file', 'file/deeper', 'a/'.repeat(2_500)];
    for (const folder of [...long.map((name) => `${here}/${name}`), NO_FOLDER])
      await refused([...args.slice(0, 1), '--report', folder, ...args.slice(1)], folder.slice(0, 200));
  });

for (const name of ['results.json', 'index.html', 'junit.xml', 'assigned-users.json'])
  test(`check: ${name} is a folder`, async () => {
    const report = test.info().outputPath('report');
    mkdirSync(`${report}/${name}/inside`, { recursive: true });
    await refused(['check', '--only', '9', '--report', report], `the folder ${report}/${name}`);
  });

test('explore --beside: its page is a folder', async () => {
  const report = test.info().outputPath('report');
  mkdirSync(`${report}/beside.html`, { recursive: true });
  await refused([...REPORTS['explore --beside'], '--report', report], `the folder ${report}/beside.html`);
});

for (const [[verb, args], details] of firstInTest(Object.entries(FILES), 1))
  test(`${verb}: a file that cannot be`, details, async () => {
    const here = test.info().outputPath('');
    mkdirSync(`${here}/folder.html`, { recursive: true });
    writeFileSync(`${here}/file`, '');
    const almost = 'a'.repeat(250);
    for (const file of [LONG, almost, `${LONG}/a.html`, 'file/a.html', 'folder.html'])
      await refused([...args, `${here}/${file}`], here);
  });

test('check --propose-deviations: a folder that is a file', async () => {
  const here = test.info().outputPath('report');
  mkdirSync(here, { recursive: true });
  writeFileSync(`${here}/file`, '');
  const args = ['check', '--only', '9', '--report', here, '--propose-deviations'];
  await refused([...args, `${here}/file/proposals.yaml`], here);
});

test('init: .gitignore is a folder', async () => {
  const here = test.info().outputPath('project');
  mkdirSync(`${here}/.gitignore`, { recursive: true });
  await refused(['init', '--out', `${here}/conformance.config.json`], `the folder ${here}/.gitignore`);
});

test('the summary of a GitHub job cannot be written', async () => {
  const here = test.info().outputPath('here');
  mkdirSync(here);
  const args = ['check', '--only', '9', '--report', `${here}/report`];
  await refused(args, 'GITHUB_STEP_SUMMARY: expected a file', { GITHUB_STEP_SUMMARY: here });
});

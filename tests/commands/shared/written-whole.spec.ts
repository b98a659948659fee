/** A verdict is never lost, and no file is written in part: what cannot be written is refused before anything is sent, or told with exit 4. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { startCommand } from '../../support/command.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

const COMMAND = fileURLToPath(new URL('../../../scripts/legacy-conformance.js', import.meta.url));

test('a report that cannot be written at the end: the verdict is printed, with 4 and the file', async () => {
  const report = test.info().outputPath('report');
  mkdirSync(report);
  const command = startCommand(['check', '--only', '9', '--only', '4.3', '--report', report]);
  await command.printed('done: ');
  // As when the disk is full: the file cannot come to its place.
  mkdirSync(`${report}/results.json/in the way`, { recursive: true });
  const { code, stdout } = await command.end;
  expect(stdout).toMatch(/(\d+) of \1 passed/);
  expect(stdout).toContain('results.json could not be written');
  expect(stdout).toContain('exit 4');
  expect(code).toBe(4);
  expect(readdirSync(report).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test(
  'a report is replaced as a whole: who reads it meanwhile sees the old one or the new one',
  PROVE,
  async () => {
    const report = test.info().outputPath('report');
    mkdirSync(report);
    writeFileSync(`${report}/results.json`, '{"of":"an earlier run"}');
    const command = startCommand(['check', '--only', '9', '--report', report]);
    let torn: string | undefined;
    let running = true;
    const reading = (async () => {
      while (running) {
        try {
          JSON.parse(readFileSync(`${report}/results.json`, 'utf8'));
        } catch (error) {
          if (error instanceof SyntaxError) torn = error.message;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const { code } = await command.end;
    running = false;
    await reading;
    expect(torn).toBeUndefined();
    expect(code).toBe(0);
  },
);

test(
  'a reader that wants no more, such as `head`: nothing is said, and the exit code is the verdict’s',
  PROVE,
  async () => {
    const report = test.info().outputPath('report');
    const exploring = ['explore', '--requests', '2000', '--seed', '1', '--report', report];
    for (const verb of [['explain'], exploring]) {
      const line = '"$@" | true; exit $PIPESTATUS';
      const { status, stderr } = spawnSync('bash', ['-c', line, 'bash', process.execPath, COMMAND, ...verb], {
        encoding: 'utf8',
      });
      expect([stderr, status]).toEqual(['', 0]);
    }
  },
);

const FILLING = [['explain'], ['check', '--only', '9'], ['explain', 'defects'], ['observe']] as const;

for (const [verb, details] of firstInTest(FILLING, 1)) {
  test(`${verb.join(' ')}: a standard output that is full is 4`, details, async () => {
    const report = verb[0] === 'check' ? ['--report', test.info().outputPath('report')] : [];
    const args = ['-c', '"$@" > /dev/full', 'sh', process.execPath, COMMAND, ...verb, ...report];
    const child = spawn('sh', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(stderr).toContain('could not be written to the standard output');
    expect(code).toBe(4);
  });
}

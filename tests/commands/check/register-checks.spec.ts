/** `registerChecks` in a file of one's own, run by the test runner. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';

const RUNNER = createRequire(import.meta.url).resolve('@playwright/test/cli');

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

function run(options: string): Promise<Ended> {
  const folder = test.info().outputPath('.');
  const from = resolve('src/commands/check/register-checks.ts');
  const text = `import { test } from '@playwright/test';\nimport { registerChecks } from ${JSON.stringify(from)};\nregisterChecks(test, 'emulator', ${options});\n`;
  writeFileSync(resolve(folder, 'checks.spec.ts'), text);
  writeFileSync(
    resolve(folder, 'playwright.config.ts'),
    "export default { testDir: '.', outputDir: 'results' };\n",
  );
  const args = [RUNNER, 'test', '--config', folder, '--reporter=list', '--workers=1'];
  return new Promise((done) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : 1, stdout: stdout + stderr }),
    );
  });
}

test('the requirements, the profile and the defects are those of its options', async () => {
  const { code, stdout } = await run(
    `{ only: ['version'], profile: 'by-the-rfc', defects: ['version-prefix-dropped'] }`,
  );
  expect(stdout).toContain('version.prefix (9)');
  expect(stdout).toMatch(/1 failed/);
  expect(code).toBe(1);
});

test('an unknown option ends the run before a test', async () => {
  const { code, stdout } = await run(`{ onyl: ['version'] }`);
  expect(stdout).toContain('Did you mean "only"?');
  expect(code).toBe(1);
});

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { chromium } from 'playwright-core';
import { runObservation } from '../../../src/commands/observe/run.ts';
import { singleQuoted } from '../../../src/document/input/shell-quotes.ts';
import { check } from '../../../src/index.ts';
import { startCommand } from '../../support/command.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';
import { firstInTest } from '../../support/prove.ts';
import { browserPath } from '../../support/run/browser-path.ts';

/** On a live target one browser is started, and that it starts is seen before anything is sent. */

const RUNS: Readonly<Record<string, (file: string, env: NodeJS.ProcessEnv) => Promise<unknown>>> = {
  check: (file, env) => check(file, { only: ['version.prefix'], env }),
  observe: (target, env) => {
    const request = { target, defects: [], risks: [], probes: ['other-methods'] };
    return runObservation({ ...request, waitExpiry: false, env });
  },
};

for (const [[verb, run], details] of firstInTest(Object.entries(RUNS), 1)) {
  test(`${verb}: the browser that is seen to start is the one that is used`, details, async () => {
    test.skip(process.platform === 'win32', 'there a script is no browser');
    const folder = test.info().outputPath('.');
    const [browser, starts] = [`${folder}/browser`, `${folder}/starts`];
    const real = (await browserPath()) ?? chromium.executablePath();
    writeFileSync(
      browser,
      `#!/bin/sh\necho started >> ${singleQuoted(starts)}\nexec ${singleQuoted(real)} "$@"\n`,
    );
    chmodSync(browser, 0o755);
    const { emulator, file, env } = await startLiveEmulator(folder);
    try {
      await run(file, { ...process.env, ...env, LEGACY_CONFORMANCE_BROWSER: browser });
      expect(readFileSync(starts, 'utf8')).toBe('started\n');
      expect(emulator.control.journal.entries()).not.toEqual([]);
    } finally {
      await emulator.close();
    }
  });

  test(`${verb}: without a browser that starts it is wrong usage, and nothing is sent`, async () => {
    const folder = test.info().outputPath('.');
    const { emulator, file, env } = await startLiveEmulator(folder);
    try {
      const without = { ...process.env, ...env, LEGACY_CONFORMANCE_BROWSER: `${folder}/none` };
      await expect(run(file, without)).rejects.toThrow('is no browser that starts');
      expect(emulator.control.journal.entries()).toEqual([]);
    } finally {
      await emulator.close();
    }
  });
}

test('a Node that may not build code from strings, as Playwright does: 2, and the flag', async () => {
  const env = { NODE_OPTIONS: '--disallow-code-generation-from-strings' };
  const args = ['check', '--only', '4.3', '--report', test.info().outputPath('report')];
  const { code, stderr } = await startCommand(args, env).end;
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('remove --disallow-code-generation-from-strings'),
  ]);
});

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { dotenv, variablesOf } from '../../src/commands/emulate/ready.ts';
import { startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { blocksOf } from '../support/documentation/blocks.ts';
import { textOf } from '../support/documentation/pages.ts';

test('the page leads from a code to a refreshed pair', async () => {
  const script = blocksOf(textOf('docs/by-curl.md')).find(({ text }) => text.includes('field()'))?.text ?? '';
  const folder = test.info().outputPath('project');
  mkdirSync(folder, { recursive: true });
  const emulator = await startEmulator({ autoConsent: true, ownCallback: true });
  try {
    writeFileSync(join(folder, '.env.legacy'), dotenv(variablesOf(emulator, undefined)));
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder });
    expect(stdout.match(/"refresh_token"/g)).toHaveLength(2);
    expect([...stdout.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status?.[0])).toEqual([
      '2',
      '2',
      '2',
    ]);
    expect(stdout).not.toContain('error');
  } finally {
    await emulator.close();
  }
});

test('the emulator stands at the redirect address, and shows the code and the request that exchanges it', async () => {
  const emulator = await startEmulator({ autoConsent: true, ownCallback: true });
  try {
    const page = await (await fetch(emulator.authorizeUrl)).text();
    const [, command = ''] = /<pre[^>]*>([^<]*)<\/pre>/.exec(page) ?? [];
    const { clientSecret } = emulator.seed.applications[0];
    const env = { ...process.env, LEGACY_CLIENT_SECRET: clientSecret };
    const shown = command.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    const { stdout } = await promisify(execFile)('sh', ['-euc', shown], { env });
    expect(Object.keys(JSON.parse(stdout))).toContain('refresh_token');
    expect(page).not.toContain(clientSecret);
  } finally {
    await emulator.close();
  }
});

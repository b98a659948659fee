/** The example of a shim beside the emulator of the profile that it was built after. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { BesideFile } from '../../../generated/schemas.d.ts';
import { runHere } from '../../support/command-here.ts';
import { PROVE } from '../../support/prove.ts';

const SECRETS = {
  SHIM_CLIENT_SECRET: 'secret-of-the-shim',
  SHIM_PASSWORD: 'password-of-the-shim',
  SHIM_CONTROL_TOKEN: 'token-of-the-shim',
};

/** Compares the shim of a folder with the emulator; returns the subjects that its recording covers. */
async function compared(folder: string): Promise<readonly string[]> {
  const shim = spawn(process.execPath, ['shim.mjs', '0'], {
    cwd: folder,
    env: { ...process.env, ...SECRETS },
  });
  try {
    const [said] = (await once(shim.stdout, 'data')) as [Buffer];
    const port = /:(\d+)\s*$/.exec(said.toString())?.[1] ?? '';
    const file = join(folder, 'shim.config.json');
    writeFileSync(file, readFileSync('examples/shim/shim.config.json', 'utf8').replaceAll('9100', port));
    const sides = ['--profile', join(folder, 'recorded/staging.yaml'), '--beside', file];
    const played = ['--seed', '1', '--requests', '300', '--risk', 'revokes', '--report', folder];
    const { stderr } = await runHere(['explore', ...sides, ...played], SECRETS);
    const { parity, differences } = JSON.parse(
      readFileSync(join(folder, 'beside.json'), 'utf8'),
    ) as BesideFile;
    expect(parity.answers, stderr).toBeGreaterThan(200);
    expect(parity.inOutcome / parity.answers).toBeGreaterThan(0.95);
    return differences
      .map(({ about }) => about)
      .filter((about) => /^(list-shape|operation-answers|users listed)/.test(about));
  } finally {
    shim.kill();
  }
}

test(
  'a shim differs in nothing that its recording covers, and in `list-shape.fields` where it leaves out a member',
  PROVE,
  async () => {
    test.setTimeout(300_000);
    const folder = test.info().outputPath('shim');
    cpSync('examples/shim', folder, { recursive: true });
    expect(await compared(folder)).toEqual([]);
    const shim = join(folder, 'shim.mjs');
    writeFileSync(shim, readFileSync(shim, 'utf8').replace(', email: mail', ''));
    expect(await compared(folder)).toContain('list-shape.fields');
  },
);

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Group, ratioTarget } from '../figures.ts';

const ROUNDS = 3;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = join(ROOT, 'scripts/legacy-conformance.js');
const TEN_WALKS = join(ROOT, 'scripts/bench/ten-walks/playwright.config.ts');
const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli');

/** The whole check against ten sign-ins with consent under the same runner, in turns. */
export async function startGroup(): Promise<Group> {
  const report = await mkdtemp(join(tmpdir(), 'legacy-conformance-bench-'));
  const whole: number[] = [];
  const floor: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      whole.push(await seconds([COMMAND, 'check', '--report', report]));
      floor.push(await seconds([PLAYWRIGHT, 'test', '-c', TEN_WALKS, '--workers=2']));
    }
  } finally {
    await rm(report, { recursive: true, force: true });
  }
  return {
    name: 'start',
    title: `The whole check: from the start of the process to its end, ${ROUNDS} rounds`,
    measurements: [
      { name: 'ten walks', unit: 's', rounds: floor, note: 'playwright test, two workers' },
      { name: 'check', unit: 's', rounds: whole, note: 'legacy-conformance check' },
    ],
    targets: [ratioTarget('at-most', 2.5, 'check / ten walks', whole, floor)],
  };
}

/** Runs a script to its end. @throws Error unless it exits with 0: only what worked may be called fast */
function seconds(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const keep = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve((performance.now() - begun) / 1000);
      else reject(new Error(`Expected exit 0 from ${args.join(' ')}, got ${code}:\n${said}`));
    });
  });
}

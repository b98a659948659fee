import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '../../../src/service/agent/browser/find-browser.ts';
import { type Group, ratioTarget } from '../figures.ts';

const ROUNDS = 3;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = join(ROOT, 'scripts/legacy-conformance.js');
const WALKS = join(ROOT, 'scripts/bench/walks.ts');

/** The command against the bare Playwright library, each from the start of its process to its end, in turns. */
export async function startGroup(): Promise<Group> {
  const report = await mkdtemp(join(tmpdir(), 'legacy-conformance-bench-'));
  const workers = String(availableParallelism());
  const path = (await findBrowser())?.executablePath;
  const measured = {
    'one walk': [WALKS, '1', '1'],
    'one check': [COMMAND, 'check', '--only', 'exchange.token-type-bearer', '--report', report],
    'ten walks': [WALKS, '10', workers],
    check: [COMMAND, 'check', '--report', report],
  } as const;
  const rounds: Record<string, number[]> = {};
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, args] of Object.entries(measured)) {
        rounds[name] = [...(rounds[name] ?? []), await seconds(args, path)];
      }
    }
  } finally {
    await rm(report, { recursive: true, force: true });
  }
  const of = (name: keyof typeof measured) => rounds[name] ?? [];
  return {
    name: 'start',
    title: `The command, from the start of the process to its end, ${ROUNDS} rounds`,
    measurements: [
      {
        name: 'one walk',
        unit: 's',
        rounds: of('one walk'),
        note: 'bare library: sign in, consent, exchange',
      },
      {
        name: 'one check',
        unit: 's',
        rounds: of('one check'),
        note: 'check --only exchange.token-type-bearer',
      },
      { name: 'ten walks', unit: 's', rounds: of('ten walks'), note: `bare library, ${workers} workers` },
      { name: 'check', unit: 's', rounds: of('check'), note: 'legacy-conformance check' },
    ],
    targets: [
      ratioTarget('at-most', 1.6, 'one check / one walk', of('one check'), of('one walk')),
      ratioTarget('at-most', 1.5, 'check / ten walks', of('check'), of('ten walks')),
    ],
  };
}

/** Seconds until a script ends. @throws Error unless it exits with 0: a failed run must not count as fast */
export function seconds(args: readonly string[], browser: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const env = browser === undefined ? process.env : { ...process.env, LEGACY_CONFORMANCE_BROWSER: browser };
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env });
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

import { mkdirSync, readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { type Canary, findCanaries } from '../support/canary/find-canaries.ts';
import { AWKWARD_SECRETS, canariesOf } from '../support/canary/stand-in-canaries.ts';
import { type CommandEnd, type RunningCommand, startCommand } from '../support/command.ts';
import { standInConfiguration, writeLiveConfiguration } from '../support/live-config.ts';
import { type RunningStandIn, startStandIn } from '../support/stand-in/start.ts';

/**
 * Nothing that a command writes or prints holds a secret or a person, however it ends and however talkative the debug
 * switches make its tools. Each run has a temporary folder of its own, so that all it leaves there is searched too.
 */

test.setTimeout(120_000);

/** Debug switches of everything that runs inside: the runner, the browser's protocol, Node's own. */
const TALKATIVE = { DEBUG: '*', NODE_DEBUG: 'http,fetch,undici,tls', DEBUG_FILE: undefined };

interface CanaryRun {
  readonly end: CommandEnd;
  readonly finds: readonly string[];
  readonly searched: number;
}

/** Runs a command on a stand-in and searches what it left; `meanwhile` may disturb it, once it has taken the canaries. */
async function runWithCanaries(
  verb: (file: string, out: string) => readonly string[],
  standInEnv: Readonly<Record<string, string>> = {},
  meanwhile?: (command: RunningCommand, standIn: RunningStandIn) => Promise<readonly Canary[]>,
): Promise<CanaryRun> {
  const info = test.info();
  const [settings, out, temporary] = ['settings', 'out', 'tmp'].map((name) => info.outputPath(name));
  for (const folder of [settings, out, temporary]) mkdirSync(folder ?? '', { recursive: true });
  const standIn = await startStandIn({ ...AWKWARD_SECRETS, STAND_IN_CONSENT: 'always', ...standInEnv });
  try {
    const { consent } = standInConfiguration(standIn.ready);
    const { file, env } = writeLiveConfiguration(standIn.ready, settings ?? '', {
      consent: { ...consent, settleMs: 150 },
    });
    const summary = info.outputPath('out', 'summary.md');
    const command = startCommand(verb(file, out ?? ''), {
      ...env,
      ...TALKATIVE,
      GITHUB_STEP_SUMMARY: summary,
      TMPDIR: temporary,
    });
    const before = meanwhile?.(command, standIn);
    const end = await command.end;
    const canaries = (await before) ?? (await canariesOf(standIn));
    const finds = findCanaries(canaries, {
      paths: [out ?? '', temporary ?? ''],
      printed: { stdout: end.stdout, stderr: end.stderr },
    });
    return { end, finds, searched: canaries.length };
  } finally {
    await standIn.stop();
  }
}

const check = (file: string, out: string, ...only: readonly string[]) => [
  'check',
  '--target',
  file,
  '--report',
  `${out}/report`,
  ...only.flatMap((what) => ['--only', what]),
];

test('check, passing and failing, every debug switch on', async () => {
  const { end, finds, searched } = await runWithCanaries((file, out) => check(file, out, '2.1', '4.4'), {
    STAND_IN_MODE: 'as-shipped',
  });
  expect(end.code, end.stdout).toBe(1);
  expect(readdirSync(test.info().outputPath('out', 'report')).sort()).toEqual([
    'index.html',
    'junit.xml',
    'results.json',
  ]);
  expect(searched).toBeGreaterThan(20);
  expect(finds).toEqual([]);
});

test('check, the service gone in the middle', async () => {
  const { end, finds } = await runWithCanaries(
    (file, out) => check(file, out, '4.3', '4.4'),
    {},
    async (command, standIn) => {
      await command.printed('refresh.');
      const canaries = await canariesOf(standIn);
      await standIn.stop();
      return canaries;
    },
  );
  expect(end.code).toBe(3);
  expect(finds).toEqual([]);
});

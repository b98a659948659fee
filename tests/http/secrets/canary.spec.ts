import { mkdirSync, readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { type Canary, findCanaries } from '../../support/canary/find-canaries.ts';
import { AWKWARD_SECRETS, canariesOf } from '../../support/canary/independent-service-canaries.ts';
import { COMPILED, type CommandEnd, type RunningCommand, startCommand } from '../../support/command.ts';
import {
  type RunningIndependentService,
  startIndependentService,
} from '../../support/independent-service/start.ts';
import { independentServiceConfiguration, writeLiveConfiguration } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

/** Nothing that a command writes or prints holds a secret or a person, however it ends and whatever debug switches are on. */

test.setTimeout(120_000);

/** Debug switches of everything that runs inside: the runner, the browser's protocol, Node's own. */
const TALKATIVE = { DEBUG: '*', NODE_DEBUG: 'http,fetch,undici,tls', DEBUG_FILE: undefined };

interface CanaryRun {
  readonly ends: readonly CommandEnd[];
  readonly finds: readonly string[];
  readonly searched: number;
}

interface Circumstances {
  /** `INDEPENDENT_SERVICE_…` variables. */
  readonly independentService?: Readonly<Record<string, string>>;
  readonly change?: Partial<ConfigurationFile>;
  readonly meanwhile?: (
    command: RunningCommand,
    independentService: RunningIndependentService,
  ) => Promise<readonly Canary[]>;
}

type Verb = (file: string, out: string) => readonly string[];

/** Runs commands on an independent service, one after the other, and searches what they left. */
async function runWithCanaries(
  [verb, ...others]: readonly [Verb, ...Verb[]],
  { independentService: independentServiceEnv = {}, change = {}, meanwhile }: Circumstances = {},
): Promise<CanaryRun> {
  const info = test.info();
  const [settings, out, temporary] = ['settings', 'out', 'tmp'].map((name) => info.outputPath(name));
  for (const folder of [settings, out, temporary]) mkdirSync(folder ?? '', { recursive: true });
  const independentService = await startIndependentService({
    ...AWKWARD_SECRETS,
    INDEPENDENT_SERVICE_CONSENT: 'always',
    ...independentServiceEnv,
  });
  try {
    const { consent } = independentServiceConfiguration(independentService.ready);
    const { file, env } = writeLiveConfiguration(independentService.ready, settings ?? '', {
      consent: { ...consent, settleMs: 150 },
      ...change,
    });
    const summary = info.outputPath('out', 'summary.md');
    const quiet = { GITHUB_STEP_SUMMARY: summary, TMPDIR: temporary, ...COMPILED };
    const emulatorParts = { ...env, ...TALKATIVE, ...quiet };
    const command = startCommand(verb(file, out ?? ''), emulatorParts);
    const before = meanwhile?.(command, independentService);
    const ends = [await command.end];
    for (const other of others) ends.push(await startCommand(other(file, out ?? ''), emulatorParts).end);
    const canaries = (await before) ?? (await canariesOf(independentService));
    const finds = findCanaries(canaries, {
      paths: [out ?? '', temporary ?? ''],
      printed: Object.fromEntries(
        ends.flatMap(({ stdout, stderr }, index) => [
          [`stdout of command ${index + 1}`, stdout],
          [`stderr of command ${index + 1}`, stderr],
        ]),
      ),
    });
    return { ends, finds, searched: canaries.length };
  } finally {
    await independentService.stop();
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

test('check, passing and failing, every debug switch on', PROVE, async () => {
  const {
    ends: [end],
    finds,
    searched,
  } = await runWithCanaries([(file, out) => check(file, out, '2.1', '4.4')], {
    independentService: { INDEPENDENT_SERVICE_MODE: 'as-shipped' },
  });
  expect(end?.code, end?.stdout).toBe(1);
  expect(readdirSync(test.info().outputPath('out', 'report')).sort()).toEqual([
    'assigned-users.json',
    'index.html',
    'junit.xml',
    'results.json',
  ]);
  expect(searched).toBeGreaterThan(20);
  expect(finds).toEqual([]);
});

test('check, the service silent from the middle on, so that everything times out', PROVE, async () => {
  const {
    ends: [end],
    finds,
  } = await runWithCanaries([(file, out) => check(file, out, '4.3', '4.4')], {
    change: { pacing: { requestsPerSecond: 1_000, deadlineMs: 1_000 } },
    meanwhile: async (command, independentService) => {
      await command.printed('done: ');
      const canaries = await canariesOf(independentService);
      independentService.fallSilent();
      return canaries;
    },
  });
  expect(end?.code, end?.stdout).toBe(3);
  expect(finds).toEqual([]);
});

test('check, killed in the middle', PROVE, async () => {
  const { finds, searched } = await runWithCanaries([(file, out) => check(file, out, '4.3', '4.4')], {
    meanwhile: async (command, independentService) => {
      await command.printed('done: ');
      command.killAll();
      return canariesOf(independentService);
    },
  });
  expect(searched).toBeGreaterThan(10);
  expect(finds).toEqual([]);
});

test('every other verb that talks to a live target', PROVE, async () => {
  const target = (file: string) => ['--target', file];
  const { ends, finds, searched } = await runWithCanaries([
    (file) => ['doctor', ...target(file), '--walk'],
    (file, out) => ['observe', ...target(file), '--out', `${out}/observed.yaml`, '--report', out],
    (file, out) => ['contracts', 'verify', ...target(file), '--report', out],
    (file, out) => ['sweep', ...target(file), '--report', out],
    (file) => ['sweep', ...target(file), '--yes'],
  ]);
  expect(
    ends.map(({ code }) => code),
    ends.map(({ stdout }) => stdout).join('\n'),
  ).toEqual([0, 0, 0, 0, 0]);
  expect(searched).toBeGreaterThan(20);
  expect(finds).toEqual([]);
});

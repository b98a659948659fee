/** A run that gets a signal cleans up and prints its verdict so far; one that is killed sends no further request. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Results } from '../../../src/report/results.ts';
import { browsersOf } from '../../support/browsers-of.ts';
import { COMPILED, type RunningCommand, runCommand, startCommand } from '../../support/command.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import {
  type RunningIndependentService,
  startIndependentService,
} from '../../support/independent-service/start.ts';
import { Walk } from '../../support/independent-service/walk.ts';
import { writeLiveConfiguration } from '../../support/live-config.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

test.describe.configure({ mode: 'parallel' });

/** A run on an independent service that is stopped at one of its assigns. */
interface Stopped {
  readonly command: RunningCommand;
  readonly independentService: RunningIndependentService;
  readonly gateway: Gateway;
  readonly report: string;
  readonly temporary: string;
  /** Requests that the service had received when the run was stopped. */
  readonly before: number;
}

/** The first assign is the smoke flow's, those after it a check's. */
async function stoppedAt(
  assign: number,
  signal: NodeJS.Signals,
  look: (stopped: Stopped) => Promise<void>,
  verb?: readonly string[],
): Promise<void> {
  const independentService = await startIndependentService({});
  const report = test.info().outputPath('report');
  const temporary = join(tmpdir(), `stopped-${test.info().testId}`);
  mkdirSync(temporary, { recursive: true });
  let command: RunningCommand | undefined;
  let assigns = 0;
  let before = 0;
  const gateway = await startGateway(independentService.ready.baseUrl, {
    after: async ({ method }) => {
      if (method === 'PUT') assigns += 1;
      if (method !== 'PUT' || assigns !== assign) return;
      before = (await independentService.received()).length;
      command?.stop(signal);
    },
  });
  try {
    const { file, env } = writeLiveConfiguration(independentService.ready, test.info().outputPath('.'), {
      baseUrl: gateway.url,
    });
    const only = ['assign.leaves-others', 'unassign.project-scoped', '4.3'].flatMap((id) => ['--only', id]);
    const args = verb
      ? [...verb, '--target', file]
      : ['check', '--target', file, '--report', report, ...only];
    command = startCommand(args, { ...env, ...COMPILED, TMPDIR: temporary });
    await command.end;
    await look({ command, independentService, gateway, report, temporary, before });
  } finally {
    await gateway.close();
    await independentService.stop();
  }
}

/** Each costs a run: `npm test` runs the first for one signal. */
const MOMENTS = [
  ['in the smoke flow', 1],
  ['in a check', 3],
] as const;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  for (const [[when, assign], details] of firstInTest(MOMENTS, signal === 'SIGINT' ? 1 : 0)) {
    test(
      `${signal} ${when}: own users are unassigned, the verdict is printed, nothing is left`,
      details,
      async () => {
        await stoppedAt(assign, signal, async ({ command, independentService, report, temporary }) => {
          const { code, stdout } = await command.end;
          expect(stdout).toContain('the run was interrupted');
          expect(stdout).toContain('inconclusive (partial) (exit 3)');
          expect(code).toBe(3);
          const results = JSON.parse(readFileSync(`${report}/results.json`, 'utf8')) as Results;
          expect(results.requirements.some(({ result }) => result === 'not-run')).toBe(true);
          expect(await new Walk(independentService.ready).everyone()).toEqual(
            independentService.ready.assigned,
          );
          await expect.poll(() => browsersOf(command)).toEqual([]);
          expect(readdirSync(temporary)).toEqual([]);
        });
      },
    );
  }
}

test('SIGTERM while `observe` probes: own users are unassigned, no profile is written', PROVE, async () => {
  await stoppedAt(
    2,
    'SIGTERM',
    async ({ command, independentService }) => {
      const { code, stdout, stderr } = await command.end;
      expect(stderr).toContain('the run was interrupted: no profile was written');
      expect(stdout).toBe('');
      expect(code).toBe(3);
      expect(await new Walk(independentService.ready).everyone()).toEqual(independentService.ready.assigned);
      await expect.poll(() => browsersOf(command)).toEqual([]);
    },
    ['observe', '--probe', 'operation-answers'],
  );
});

const READING = [
  ['doctor', /oauth\/token$|assigned_users$/, 3, 'the run was interrupted (exit 3)'],
  ['sweep', /assigned_users$/, 0, "the suite's own users are unassigned now (exit 0)"],
] as const;

for (const [[verb, on, code, said], details] of firstInTest(READING, 1)) {
  test(`SIGTERM while \`${verb}\` reads: it ends with its exit code and its browser`, details, async () => {
    const independentService = await startIndependentService({});
    let command: RunningCommand | undefined;
    const gateway = await startGateway(independentService.ready.baseUrl, {
      before: async ({ path }) => {
        if (on.test(path)) command?.stop('SIGTERM');
        // The process gets the signal before it gets the answer.
        await new Promise((resolve) => setImmediate(resolve));
        return undefined;
      },
    });
    try {
      const written = writeLiveConfiguration(independentService.ready, test.info().outputPath('.'), {
        baseUrl: gateway.url,
      });
      const args = [verb, '--target', written.file, ...(verb === 'doctor' ? ['--walk'] : [])];
      command = startCommand(args, { ...written.env, ...COMPILED });
      const end = await command.end;
      expect(end.stdout).toContain(said);
      expect(end.code).toBe(code);
      const running = command;
      await expect.poll(() => browsersOf(running)).toEqual([]);
    } finally {
      await gateway.close();
      await independentService.stop();
    }
  });
}

test('SIGKILL: nothing is sent any more, and the next run removes what is left on disk', PROVE, async () => {
  await stoppedAt(3, 'SIGKILL', async ({ command, independentService, temporary, before }) => {
    await expect.poll(() => browsersOf(command), { timeout: 10_000 }).toEqual([]);
    const after = (await independentService.received()).length;
    // A request that was in transit at the kill may still arrive.
    expect(after - before).toBeLessThan(3);
    const left = () =>
      readdirSync(temporary).filter((name) => name.startsWith(`legacy-conformance-${command.pid}-`));
    expect(left()).toHaveLength(1);
    const report = test.info().outputPath('next');
    await runCommand(['check', '--only', '9', '--report', report], { ...COMPILED, TMPDIR: temporary });
    expect(left()).toEqual([]);
    expect(existsSync(report)).toBe(true);
  });
});

/** `sweep` unassigns whom a run has assigned, or with `--yes` all own users, and nobody else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { sweep as sweepForPrograms } from '../../../src/commands/sweep/api.ts';
import { sweepSession as sweepThrough } from '../../../src/commands/sweep/verb.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { ASSIGNED_FILE, leftText, readAssigned } from '../../../src/service/flow/assigned-by-run.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { liveTarget } from '../../../src/service/live.ts';
import { runHere } from '../../support/command-here.ts';
import { type Gateway, type GatewayHooks, startGateway } from '../../support/gateway.ts';
import {
  type RunningIndependentService,
  startIndependentService,
} from '../../support/independent-service/start.ts';
import { Walk } from '../../support/independent-service/walk.ts';
import { type WrittenConfiguration, writeLiveConfiguration } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

/** An independent service with two of the suite's own users assigned, as a run that was killed leaves them. */
interface Leftovers {
  readonly running: RunningIndependentService;
  /** The assigned users by project. */
  assigned(): Promise<Readonly<Record<string, readonly string[]>>>;
  sweep(...args: readonly string[]): ReturnType<typeof runHere>;
  readonly written: WrittenConfiguration;
  /** The API address in the run's configuration. */
  readonly baseUrl: string;
}

async function withLeftovers(
  env: Readonly<Record<string, string>>,
  hooks: GatewayHooks,
  work: (leftovers: Leftovers) => Promise<void>,
): Promise<void> {
  const running = await startIndependentService(env);
  let gateway: Gateway | undefined;
  try {
    const { ready } = running;
    gateway = await startGateway(ready.baseUrl, hooks);
    const walk = new Walk(ready);
    const token = await walk.accessToken();
    const [first, second] = ready.projects;
    for (const path of [
      `${first}/assigned_users/${ready.users[0]}`,
      `${first}/assigned_users/${ready.users[2]}`,
      `${second}/assigned_users/${ready.users[0]}`,
    ]) {
      await walk.resource('PUT', path, token);
    }
    const written = writeLiveConfiguration(ready, test.info().outputPath('.'), { baseUrl: gateway.url });
    await work({
      running,
      written,
      baseUrl: gateway.url,
      assigned: () => walk.everyone(token),
      sweep: (...args) => runHere(['sweep', '--target', written.file, ...args], written.env),
    });
  } finally {
    await gateway?.close();
    await running.stop();
  }
}

test('without --report, the folders of runs below `report` are found', async () => {
  const here = process.cwd();
  try {
    await withLeftovers({}, {}, async ({ running: { ready }, assigned, sweep, baseUrl }) => {
      const directory = test.info().outputPath('elsewhere');
      const [project, user] = [ready.projects[0], ready.users[2]];
      writeReport(join(directory, 'report/explore/beside'), [{ baseUrl, project, user }]);
      process.chdir(directory);
      const { code, stdout } = await sweep();
      process.chdir(here);
      expect(code, stdout).toBe(0);
      expect((await assigned())[project]).not.toContain(user);
      expect((await assigned())[project]).toContain(ready.users[0]);
    });
  } finally {
    process.chdir(here);
  }
});

test('with --yes: whoever is left is unassigned, and everybody else stays', async () => {
  await withLeftovers({}, {}, async ({ running: { ready }, assigned, sweep }) => {
    const { code, stdout } = await sweep('--yes');
    expect(await assigned()).toEqual(ready.assigned);
    const [first, second] = ready.projects;
    const [one, , three] = ready.users;
    expect(stdout).toContain("the suite's own users are unassigned now (exit 0)");
    expect(stdout).toContain(`project ${first}: not assigned any more: ${one}, ${three}\n`);
    expect(stdout).toContain(`project ${second}: not assigned any more: ${one}\n`);
    expect(stdout).not.toContain(ready.owner.password);
    expect(code).toBe(0);
  });
});

test('sweep(): the same for a program', async () => {
  await withLeftovers({}, {}, async ({ running: { ready }, assigned, written: { file, env } }) => {
    const looked = await sweepForPrograms(file, { env, report: test.info().outputPath('nowhere') });
    expect([looked.exitCode, looked.because]).toEqual([3, [expect.stringContaining('nothing was changed')]]);
    const { exitCode, lines, because } = await sweepForPrograms(file, { env, yes: true });
    expect([exitCode, because]).toEqual([0, []]);
    expect(lines[0]).toBe(
      `project ${ready.projects[0]}: not assigned any more: ${ready.users[0]}, ${ready.users[2]}`,
    );
    expect(await assigned()).toEqual(ready.assigned);
    await expect(sweepForPrograms(file, { all: true } as object)).rejects.toThrow('sweep: expected one of');
  });
});

test('without a file and --yes: says who would be unassigned, changes nothing, 3', PROVE, async () => {
  await withLeftovers({}, {}, async ({ running: { ready }, assigned, sweep }) => {
    const before = await assigned();
    for (const args of [[], ['--report', test.info().outputPath('nowhere')]]) {
      const { code, stdout } = await sweep(...args);
      expect(stdout).toContain(`project ${ready.projects[0]}: would unassign ${ready.users[0]}\n`);
      expect(stdout).toContain('nothing was changed: ');
      expect(code).toBe(3);
    }
    expect(await assigned()).toEqual(before);
  });
});

test('a run that could not read the lists names the sweep of its own folder', () => {
  const left = [{ project: '1', user: '2', unread: 'no answer' }];
  const place = { file: 'base.json', report: resolve('out/staging') };
  expect(leftText(left, place)).toMatch(
    /^user 2 in project 1 may still be assigned, .* again: `.*sweep --target base.json --report out\/staging`$/,
  );
});

test('with --report: exactly whom the run has assigned, and nobody else', async () => {
  await withLeftovers({}, {}, async ({ running, baseUrl, assigned, sweep }) => {
    const { ready } = running;
    const [first, second] = ready.projects;
    const [one, , three] = ready.users;
    const report = test.info().outputPath('report');
    const elsewhere = { baseUrl: 'https://other.example', project: second, user: one };
    writeReport(report, [{ baseUrl, project: first, user: three }, elsewhere]);
    const { code, stdout } = await sweep('--report', report);
    expect(stdout).toContain(`project ${first}: not assigned any more: ${three}\n`);
    expect(await assigned()).toEqual({
      [first]: [...(ready.assigned[first] ?? []), one],
      [second]: [...(ready.assigned[second] ?? []), one],
    });
    expect(readAssigned(report)).toEqual([elsewhere]);
    expect(code).toBe(0);
    // There is nothing left to do, so nothing is sent.
    const sent = (await running.received()).length;
    expect((await sweep('--report', report)).code).toBe(0);
    expect(await running.received()).toHaveLength(sent);
  });
});

test('with --report: whom the configuration does not name, a file of another kind, and --yes are wrong usage', async () => {
  await withLeftovers({}, {}, async ({ running: { ready }, baseUrl, sweep }) => {
    const report = test.info().outputPath('report');
    writeReport(report, [{ baseUrl, project: ready.projects[0], user: 'somebody' }]);
    const unknown = await sweep('--report', report);
    expect(unknown.stderr).toContain(`user somebody in project ${ready.projects[0]}`);
    writeReport(report, { assigned: [] });
    const strange = await sweep('--report', report);
    expect(strange.stderr).toContain('expected what a run writes');
    expect([unknown.code, strange.code, (await sweep('--report', report, '--yes')).code]).toEqual([2, 2, 2]);
  });
});

test('an unassign that is honoured and does nothing is the service’s fault', async () => {
  const pretend: GatewayHooks = {
    before: ({ method }) => (method === 'DELETE' ? { status: 204 } : undefined),
  };
  await withLeftovers({}, pretend, async ({ running: { ready }, written }) => {
    const target = await liveTarget(await loadConfiguration(written.file, written.env));
    const waited: number[] = [];
    const pause = async (ms: number) => void waited.push(ms);
    const session = connectWithoutBrowser({ ...target, pause }, new SecretRegistry());
    session.assignedByRun.claimAll();
    const { troubles, violations } = await sweepThrough(session);
    await target.close();
    expect(troubles).toEqual([]);
    expect(violations).toHaveLength(3);
    expect(violations[0]).toContain(
      `project ${ready.projects[0]}: unassign of user ${ready.users[0]} answered status 204, and 10 s later`,
    );
    // The shorter ones belong to lists that may be late.
    expect(waited.filter((ms) => ms > 2_000)).toEqual([10_000]);
  });
});

function writeReport(folder: string, content: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ASSIGNED_FILE), JSON.stringify(content));
}

test('whom the service does not let go is named with its answer: 1', PROVE, async () => {
  let stubborn = '';
  const refuse: GatewayHooks = {
    before: ({ method, path }) =>
      method === 'DELETE' && path.endsWith(stubborn) ? { status: 409 } : undefined,
  };
  await withLeftovers({}, refuse, async ({ running: { ready }, assigned, sweep }) => {
    const [first, second] = ready.projects;
    const [one, , three] = ready.users;
    stubborn = `${first}/assigned_users/${three}`;
    const { code, stdout } = await sweep('--yes');
    expect(stdout).toContain(
      `unassign.removes-user (clause 4.4): project ${first}: unassign of user ${three} answered status 409`,
    );
    expect(await assigned()).toEqual({
      [first]: [...(ready.assigned[first] ?? []), three],
      [second]: ready.assigned[second],
    });
    expect(stdout).toContain(`project ${second}: not assigned any more: ${one}`);
    expect(code).toBe(1);
  });
});

test('whom the service removes without being asked is named: 3', PROVE, async () => {
  const defect = { INDEPENDENT_SERVICE_DEFECT: 'unassign-removes-all' };
  await withLeftovers(defect, {}, async ({ running: { ready }, sweep }) => {
    const { code, stdout } = await sweep('--yes');
    const lost = (ready.assigned[ready.projects[0]] ?? []).map((id) => `user ${id}`).join(', ');
    expect(stdout).toContain(`project ${ready.projects[0]}: ${lost}, not the suite's own`);
    expect(code).toBe(3);
  });
});

test('a service that is gone: 3, and nothing is said to be in order', PROVE, async () => {
  await withLeftovers({}, {}, async ({ running, sweep }) => {
    await running.stop();
    const { code, stdout } = await sweep('--yes');
    expect(stdout).toContain('(`authUrl`) refuses connections');
    expect(stdout).toContain('inconclusive');
    expect(code).toBe(3);
  });
});

test('the emulator, or no target at all: 2, and what is wanted', async () => {
  const emulator = await runHere(['sweep', '--target', 'emulator']);
  expect(emulator.stderr).toContain('expected the configuration file of a live target');
  expect(emulator.code).toBe(2);
  const nothing = await runHere(['sweep']);
  expect(nothing.stderr).toContain('--target');
  expect(nothing.code).toBe(2);
});

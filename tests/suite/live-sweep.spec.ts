/** `sweep` puts the suite's own users right from the configuration alone, and tells precisely what it cannot. */
import { mkdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { runCommand } from '../support/command.ts';
import { type Gateway, type GatewayHooks, startGateway } from '../support/gateway.ts';
import { writeLiveConfiguration } from '../support/live-config.ts';
import { type RunningStandIn, startStandIn } from '../support/stand-in/start.ts';
import { Walk } from '../support/stand-in/walk.ts';

/** A stand-in with two of the suite's own users assigned, as a run that was killed leaves them. */
interface Leftovers {
  readonly running: RunningStandIn;
  /** Who is assigned now, by project. */
  assigned(): Promise<Readonly<Record<string, readonly string[]>>>;
  sweep(...args: readonly string[]): ReturnType<typeof runCommand>;
}

async function withLeftovers(
  env: Readonly<Record<string, string>>,
  hooks: GatewayHooks,
  work: (leftovers: Leftovers) => Promise<void>,
): Promise<void> {
  const running = await startStandIn(env);
  let gateway: Gateway | undefined;
  try {
    const { ready } = running;
    gateway = await startGateway(ready.baseUrl, hooks);
    const walk = new Walk(ready);
    const token = (await walk.exchange(await walk.code())).json.access_token;
    const [first, second] = ready.projects;
    for (const path of [
      `${first}/assigned_users/${ready.users[0]}`,
      `${first}/assigned_users/${ready.users[2]}`,
      `${second}/assigned_users/${ready.users[0]}`,
    ]) {
      await walk.resource('PUT', path, token);
    }
    const directory = test.info().outputPath('.');
    mkdirSync(directory, { recursive: true });
    const { file, env: secrets } = writeLiveConfiguration(ready, directory, { baseUrl: gateway.url });
    await work({
      running,
      assigned: async () => ({
        [first]: await walk.listed(first, token),
        [second]: await walk.listed(second, token),
      }),
      sweep: (...args) => runCommand(['sweep', '--target', file, ...args], secrets),
    });
  } finally {
    await gateway?.close();
    await running.stop();
  }
}

test('whoever is left is unassigned, and everybody else stays', async () => {
  await withLeftovers({}, {}, async ({ running: { ready }, assigned, sweep }) => {
    const { code, stdout } = await sweep();
    expect(await assigned()).toEqual(ready.assigned);
    const [first, second] = ready.projects;
    const [one, , three] = ready.users;
    expect(stdout).toContain(`project ${first}: unassigned ${one}, ${three}\n`);
    expect(stdout).toContain(`project ${second}: unassigned ${one}\n`);
    expect(stdout).not.toContain(ready.owner.password);
    expect(code).toBe(0);
  });
});

test('whom the service does not let go is named with its answer: 4', async () => {
  let stubborn = '';
  const refuse: GatewayHooks = {
    before: ({ method, path }) =>
      method === 'DELETE' && path.endsWith(stubborn) ? { status: 409 } : undefined,
  };
  await withLeftovers({}, refuse, async ({ running: { ready }, assigned, sweep }) => {
    const [first, second] = ready.projects;
    const [one, , three] = ready.users;
    stubborn = `${first}/assigned_users/${three}`;
    const { code, stdout } = await sweep();
    expect(stdout).toContain(
      `project ${first}: user ${three} is still assigned (unassign answered status 409); unassign by hand`,
    );
    expect(await assigned()).toEqual({
      [first]: [...(ready.assigned[first] ?? []), three],
      [second]: ready.assigned[second],
    });
    expect(stdout).toContain(`project ${second}: unassigned ${one}`);
    expect(code).toBe(4);
  });
});

test('whom the service removes without being asked is named: 4', async () => {
  const defect = { STAND_IN_DEFECT: 'unassign-removes-all' };
  await withLeftovers(defect, {}, async ({ running: { ready }, sweep }) => {
    const { code, stdout } = await sweep();
    const lost = (ready.assigned[ready.projects[0]] ?? []).map((id) => `user ${id}`).join(', ');
    expect(stdout).toContain(`project ${ready.projects[0]}: ${lost}, not the suite's own`);
    expect(code).toBe(4);
  });
});

test('a service that is gone: 3, and nothing is said to be in order', async () => {
  await withLeftovers({}, {}, async ({ running, sweep }) => {
    await running.stop();
    const { code, stdout } = await sweep();
    expect(stdout).toContain('no token to work with, nothing was changed (authorize: ');
    expect(stdout).toContain('inconclusive');
    expect(code).toBe(3);
  });
});

test('the emulator, or no target at all: 2, and what is wanted', async () => {
  const emulator = await runCommand(['sweep', '--target', 'emulator']);
  expect(emulator.stderr).toContain('expected the configuration file of a live target');
  expect(emulator.code).toBe(2);
  const nothing = await runCommand(['sweep']);
  expect(nothing.stderr).toContain('--target');
  expect(nothing.code).toBe(2);
});

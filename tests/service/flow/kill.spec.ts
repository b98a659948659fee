/** A run killed with SIGKILL sends nothing any more; its report says who is left assigned, and `sweep --report` unassigns them. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sweepSession, withLockAsUser } from '../../../src/commands/sweep/verb.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { readAssigned } from '../../../src/service/flow/assigned-by-run.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { liveTarget } from '../../../src/service/live.ts';
import { browsersOf } from '../../support/browsers-of.ts';
import { COMPILED, type RunningCommand, startCommand } from '../../support/command.ts';
import { startGateway } from '../../support/gateway.ts';
import { startIndependentService } from '../../support/independent-service/start.ts';
import { Walk } from '../../support/independent-service/walk.ts';
import { type WrittenConfiguration, writeLiveConfiguration } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

/** The how-many-eth request that changes a project, and whether the service has still carried it out. */
interface KillPoint {
  readonly change: number;
  readonly carriedOut: boolean;
}

/** The smoke flow changes the project twice, `assign.leaves-others` assigns three users one by one, then two at once, and so on. */
const CHECKS = ['assign.leaves-others', 'unassign.project-scoped'];
const EVERY_POINT: readonly KillPoint[] = Array.from({ length: 11 }, (_, i) => i + 1).flatMap((change) => [
  { change, carriedOut: false },
  { change, carriedOut: true },
]);
const isInTest = ({ change, carriedOut }: KillPoint) => carriedOut && change === 6;

test.describe.configure({ mode: 'parallel' });

for (const { change, carriedOut } of EVERY_POINT) {
  const details = isInTest({ change, carriedOut }) ? {} : PROVE;
  const when = carriedOut ? 'right after' : 'right before';
  test(
    `killed ${when} change ${change}: nothing is sent any more, and sweep unassigns whom the run has assigned`,
    details,
    async () => {
      const ground = mkdtempSync(join(tmpdir(), 'kill-'));
      const running = await startIndependentService({});
      let command: RunningCommand;
      let changes = 0;
      let before = 0;
      const strike = async (method: string, now: boolean) => {
        if (changes === change || (method !== 'PUT' && method !== 'DELETE')) return undefined;
        if (carriedOut !== now) return undefined;
        changes += 1;
        if (changes !== change) return undefined;
        before = (await running.received()).length;
        command.stop('SIGKILL');
        return { status: 503 };
      };
      const gateway = await startGateway(running.ready.baseUrl, {
        before: ({ method }) => strike(method, false),
        after: async ({ method }) => void (await strike(method, true)),
      });
      try {
        const { ready } = running;
        const directory = join(ground, 'configuration');
        const disk = join(ground, 'disk');
        const report = join(ground, 'report');
        for (const folder of [directory, disk]) mkdirSync(folder);
        const written = writeLiveConfiguration(ready, directory, { baseUrl: gateway.url });
        const only = CHECKS.flatMap((id) => ['--only', id]);
        const args = ['check', '--target', written.file, '--report', report, ...only];
        command = startCommand(args, { ...written.env, ...COMPILED, TMPDIR: disk });
        const end = await command.end;
        expect(end.code, end.stdout + end.stderr).toBe(null);
        await expect.poll(() => browsersOf(command), { timeout: 10_000 }).toEqual([]);
        // A request that was in transit at the kill may still arrive.
        const after = (await running.received()).length - before;
        test.info().annotations.push({ type: 'requests after the kill', description: `${after}` });
        expect(after).toBeLessThan(3);
        rmSync(disk, { recursive: true });

        const walk = new Walk(ready);
        const token = await walk.accessToken();
        const left = Object.entries(await walk.everyone(token)).flatMap(([project, users]) =>
          users
            .filter((user) => [...ready.users, ready.lockUser].includes(user))
            .map((user) => `${project} ${user}`),
        );
        expect(left.length > 0).toBe(leavesSomebody(change, carriedOut));
        const kept = (readAssigned(report) ?? []).map(({ project, user }) => `${project} ${user}`);
        expect(kept).toEqual(expect.arrayContaining(left));
        // One of the configured users turns out to be somebody else's, and was assigned by hand.
        const [project, foreign] = [ready.projects[1], ready.users[2]];
        expect(kept).not.toContain(`${project} ${foreign}`);
        await walk.resource('PUT', `${project}/assigned_users/${foreign}`, token);
        expect(await sweptTo(written, report)).toEqual([]);
        expect(await walk.everyone(token)).toEqual({
          ...ready.assigned,
          [project]: [...(ready.assigned[project] ?? []), foreign],
        });
        expect(readAssigned(report)).toEqual([]);
        expect(existsSync(disk)).toBe(false);
      } finally {
        await gateway.close();
        await running.stop();
        rmSync(ground, { recursive: true, force: true });
      }
    },
  );
}

/** Returns true if a kill leaves one of the suite's own users assigned: always, once the lock is taken. */
function leavesSomebody(change: number, carriedOut: boolean): boolean {
  const done = carriedOut ? change : change - 1;
  return done > 0;
}

/** Sweeps by the report's folder, in this process; what could not be put right. */
async function sweptTo({ file, env }: WrittenConfiguration, report: string): Promise<readonly unknown[]> {
  const target = await liveTarget(withLockAsUser(await loadConfiguration(file, env)));
  try {
    return (await sweepSession(connectWithoutBrowser({ ...target, report }, new SecretRegistry()))).troubles;
  } finally {
    await target.close();
  }
}

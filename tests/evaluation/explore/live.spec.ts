import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { sweepSession, withLockAsUser } from '../../../src/commands/sweep/verb.ts';
import type { JournalEntry } from '../../../src/emulator/control/control-types.ts';
import type { Step } from '../../../src/evaluation/explore/steps.ts';
import type { CollectedRun } from '../../../src/evaluation/run/collected-run.ts';
import { requestsToExplore } from '../../../src/evaluation/run/exploring.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { explorationText } from '../../../src/report/words.ts';
import type { Configuration } from '../../../src/service/configuration/configuration.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { liveTarget } from '../../../src/service/live.ts';
import { startCommand } from '../../support/command.ts';
import { runHere } from '../../support/command-here.ts';
import { type LiveEmulator, startLiveEmulator } from '../../support/emulator-live.ts';
import { type ExploreOptions, explorationOf } from '../../support/explore-live.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

/** Exploring a live target: whom it touches, what it sends, what it may use, and that nothing of it stays. */

/** Starts an emulator that is configured as a live target, fast because it is our own. */
async function started(
  change: Partial<ConfigurationFile> = {},
  defects: readonly string[] = [],
): Promise<LiveEmulator> {
  const pacing = { requestsPerSecond: 1_000 };
  return startLiveEmulator(test.info().outputPath('.'), defects, { pacing, ...change });
}

/** The result of an exploration, and the requests that the service received. */
interface Explored {
  readonly sent: readonly JournalEntry[];
  readonly run: CollectedRun;
  readonly configuration: Configuration;
}

/** Explores a live target in this process; aborts the run after `stopAfter` changes. */
async function explored(
  { emulator, file, env }: LiveEmulator,
  {
    stopAfter = Number.POSITIVE_INFINITY,
    ...asked
  }: Partial<Pick<ExploreOptions, 'requests' | 'refusals' | 'asBudgetAllows'>> & {
    readonly stopAfter?: number;
  },
): Promise<Explored> {
  const stop = new AbortController();
  const { journal } = emulator.control;
  let begun = 0;
  let watching: NodeJS.Timeout | undefined;
  const onBegin = () => {
    begun = journal.entries().at(-1)?.sequence ?? 0;
    watching = setInterval(() => {
      if (changesIn(journal.entries()).length >= stopAfter) stop.abort();
    }, 1);
  };
  const { signal } = stop;
  const run = await explorationOf({ file, env }, { requests: 150, seed: 3, ...asked, signal, onBegin });
  clearInterval(watching);
  const sent = journal.page(begun).entries;
  await emulator.close();
  return { sent, run, configuration: await loadConfiguration(file, env) };
}

function changesIn(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.filter(({ method }) => method === 'PUT' || method === 'DELETE');
}

/** Paths of the users that are still assigned when everything was done that was sent. */
function leftBehind(entries: readonly JournalEntry[]): readonly string[] {
  const assigned = new Set<string>();
  for (const { target, effect } of entries) {
    const path = decodeURIComponent(target);
    if (effect === 'assigned') assigned.add(path);
    if (effect === 'unassigned') assigned.delete(path);
  }
  return [...assigned];
}

function refusalsIn(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.filter(({ endpoint, status = 0 }) => endpoint === 'token' && status >= 400);
}

test('own users in configured projects, nothing that may revoke or lock, and no user stays assigned', async () => {
  const { sent, run, configuration } = await explored(await started(), {});
  expect([run.troubles, run.exploration?.findings]).toEqual([[], []]);
  const changed = changesIn(sent).map(({ target }) =>
    /projects\/(.*)\/assigned_users\/(.*?)\/?$/.exec(target),
  );
  expect(changed.length).toBeGreaterThan(20);
  for (const [, project = '', user = ''] of changed.map((match) => match ?? [])) {
    expect(configuration.projects).toContain(project);
    const own = [...configuration.users, ...(configuration.lock ? [configuration.lock.user] : [])];
    expect(own).toContain(user);
  }
  // One channel that is refused, six wrong requests in one that is honoured, and those for another application.
  expect(refusalsIn(sent).length).toBeLessThanOrEqual(20);
  expect(leftBehind(sent)).toEqual([]);
});

test(
  'what may revoke or lock is sent where that risk is taken; own users are unassigned after every episode',
  PROVE,
  async () => {
    const { sent, run } = await explored(await started(), { requests: 300, refusals: true });
    expect([run.troubles, run.exploration?.findings]).toEqual([[], []]);
    expect(refusalsIn(sent).length).toBeGreaterThan(5);
    expect(leftBehind(sent)).toEqual([]);
    const ends = sent.filter(
      (entry, index) => entry.method === 'DELETE' && leftBehind(sent.slice(0, index + 1)).length === 0,
    );
    // One scripted chain, and episodes of forty steps and more.
    expect(ends.length).toBeGreaterThan(2);
  },
);

test('what a run was told to stop in the middle of is cleaned up', async () => {
  const { sent, run } = await explored(await started(), { requests: 2_000, stopAfter: 12 });
  expect(sent.length).toBeLessThan(500);
  expect(leftBehind(sent)).toEqual([]);
  expect(run.troubles.filter(({ kind }) => kind === 'broken')).toEqual([]);
});

test('where the budget ends the exploration ends, and cleaning up is kept apart from it', async () => {
  const { sent, run } = await explored(await started({ budget: { requests: 130 } }), { requests: 2_000 });
  expect(sent.length).toBeLessThan(130);
  expect(leftBehind(sent)).toEqual([]);
  expect(run.exploration?.requests).toBeLessThan(300);
  expect(run.troubles.map(({ kind }) => kind)).toEqual(['inconclusive']);
});

for (const [budget, asked, most] of [
  [150, 300, 120],
  [50, 300, 0],
] as const) {
  test(`where nobody asked for a number, a budget of ${budget} is explored with what it leaves, and that is said`, async () => {
    const target = await started({ budget: { requests: budget } });
    const { sent, run } = await explored(target, { requests: asked, asBudgetAllows: true });
    expect(run.troubles).toEqual([]);
    expect(run.exploration?.wanted).toBe(asked);
    expect(run.exploration?.requests).toBeLessThanOrEqual(most);
    expect(leftBehind(sent)).toEqual([]);
    const { seed = 0, requests = 0, steps = 0, wanted } = run.exploration ?? {};
    expect(explorationText({ seed, requests, steps, wanted, findings: [] })).toContain('left no more');
  });
}

test('a run of 3,300 requests leaves no more to an exploration that nobody asked for', () => {
  const plan = { requests: 400, asBudgetAllows: true, seed: 1, replays: [], refusals: false } as const;
  const after = (sent: number) => ({ requestsLeft: 9_000, used: { requests: sent } });
  expect(requestsToExplore(plan, after(2_800))).toBe(400);
  expect(requestsToExplore(plan, after(3_000))).toBe(260);
  expect(requestsToExplore(plan, after(3_290))).toBe(0);
});

test('a sequence from a file leaves no user assigned', async () => {
  const { emulator, file, env } = await started();
  const { projects, users } = await loadConfiguration(file, env);
  const [project = '', user = ''] = [projects[0], users[0]];
  const steps: readonly Step[] = [
    { do: 'authorize', as: 'code 1', application: 0, address: 0, scope: 'read write destroy' },
    { do: 'exchange', code: 'code 1', as: 'pair 1' },
    { do: 'assign', project, user, with: 'pair 1' },
  ];
  const run = await explorationOf(
    { file, env },
    { requests: 0, seed: 1, replays: [{ name: 'sequence.json', steps }] },
  );
  const sent = emulator.control.journal.entries();
  await emulator.close();
  expect(run.troubles).toEqual([]);
  // The lock, the smoke flow and the sequence.
  expect(changesIn(sent).filter(({ method }) => method === 'PUT').length).toBe(3);
  expect(leftBehind(sent)).toEqual([]);
});

test(
  'a finding on a live target comes with the steps that it needs, and is repeated there',
  PROVE,
  async () => {
    const { run } = await explored(await started({}, ['assign-by-refreshed-token-not-stored']), {
      requests: 400,
    });
    const [finding] = run.exploration?.findings ?? [];
    expect(finding?.again).toEqual({ shown: 3, of: 3, onSame: true });
    expect(finding?.steps.map((step) => step.do)).toContain('refresh');
    expect(run.troubles).toEqual([]);
  },
);

test('what exploring the emulator finds fails the run, exit 1', async () => {
  const report = test.info().outputPath('report');
  const options = ['--requests', '300', '--seed', '3', '--report', report];
  const { code, stdout } = await runHere(['explore', '--defect', 'assign-not-stored', ...options]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('violates (partial) (exit 1)')]);
  expect(stdout).toContain('assign.adds-user');
});

test(
  'a service that lists no user is not silently passed: the smoke flow has seen it, and lists are read',
  PROVE,
  async () => {
    const { run } = await explored(await started({}, ['assign-not-stored']), {});
    expect(run.exploration?.findings.map(({ id }) => id)).toContain('assign.adds-user');
    expect(run.troubles.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      expect.stringMatching(
        /^inconclusive: before exploring, the smoke flow stopped at assign: .* run `check`/,
      ),
    ]);
  },
);

for (const [signal, details] of firstInTest(['SIGTERM', 'SIGKILL'] as const, 1)) {
  test(
    `after ${signal} in the middle of exploring no user stays assigned${signal === 'SIGKILL' ? ', once swept' : ''}`,
    details,
    async () => {
      const { emulator, file, env } = await started();
      const { journal } = emulator.control;
      const args = ['explore', '--target', file, '--requests', '3000', '--seed', '3'];
      const report = test.info().outputPath('report');
      const command = startCommand([...args, '--report', report], env);
      for (
        let since = 0;
        leftBehind(journal.entries()).length === 0 || changesIn(journal.entries()).length < 8;
      ) {
        const { entries } = await journal.wait(since, 30);
        since = entries.at(-1)?.sequence ?? since;
      }
      if (signal === 'SIGTERM') command.stop(signal);
      else command.killAll();
      const { code, stdout, stderr } = await command.end;
      if (signal === 'SIGTERM') expect([code, stderr]).toEqual([3, expect.anything()]);
      else {
        expect([code, stdout]).toEqual([null, expect.anything()]);
        const target = await liveTarget(withLockAsUser(await loadConfiguration(file, env)));
        const session = connectWithoutBrowser({ ...target, report }, new SecretRegistry());
        const { troubles } = await sweepSession(session);
        await target.close();
        expect(troubles).toEqual([]);
      }
      expect(leftBehind(journal.entries())).toEqual([]);
      await emulator.close();
    },
  );
}

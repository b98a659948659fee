/** Two live targets: whom each side touches, what it may use, and that nothing of it stays, however the run ends. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { BesideFile, ConfigurationFile } from '../../../generated/schemas.d.ts';
import { sweepSession, withLockAsUser } from '../../../src/commands/sweep/verb.ts';
import type { JournalEntry } from '../../../src/emulator/control/control-types.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { liveTarget } from '../../../src/service/live.ts';
import { type CommandEnd, type RunningCommand, startCommand } from '../../support/command.ts';
import { runHere } from '../../support/command-here.ts';
import { type LiveEmulator, startLiveEmulator } from '../../support/emulator-live.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

interface Both {
  readonly sides: readonly [LiveEmulator, LiveEmulator];
  readonly report: string;
  start(...args: readonly string[]): RunningCommand;
  run(...args: readonly string[]): Promise<CommandEnd>;
  close(): Promise<void>;
}

/** Starts two emulators that are configured as live targets, each with variables of its own. */
async function bothStarted(
  change: Partial<ConfigurationFile> = {},
  defects: readonly string[] = [],
): Promise<Both> {
  const started = async (name: string, its: readonly string[]): Promise<LiveEmulator> => {
    const directory = test.info().outputPath(name);
    mkdirSync(directory, { recursive: true });
    const pacing = { requestsPerSecond: 1_000 };
    const side = await startLiveEmulator(directory, its, { name, pacing, ...change });
    const renamed = (text: string) => text.replaceAll('STAGING_', `${name.toUpperCase()}_`);
    writeFileSync(side.file, renamed(readFileSync(side.file, 'utf8')));
    return {
      ...side,
      env: Object.fromEntries(Object.entries(side.env).map(([key, value]) => [renamed(key), value])),
    };
  };
  const sides = [await started('old', []), await started('new', defects)] as const;
  const [left, right] = sides;
  const report = test.info().outputPath('report');
  const env = { ...left.env, ...right.env };
  const words = (args: readonly string[]) => [
    ...['explore', '--target', left.file, '--beside', right.file, '--seed', '3', '--report', report],
    ...args,
  ];
  return {
    sides,
    report,
    start: (...args) => startCommand(words(args), env),
    run: (...args) => runHere(words(args), env),
    close: async () => {
      for (const { emulator } of sides) await emulator.close();
    },
  };
}

function changesIn(entries: readonly JournalEntry[]) {
  return entries.filter(({ method }) => method === 'PUT' || method === 'DELETE');
}

/** Paths of the users that are still assigned when everything was done that was sent. */
function leftBehind({ emulator }: LiveEmulator): readonly string[] {
  const assigned = new Set<string>();
  for (const { target, effect } of emulator.control.journal.entries()) {
    if (effect === 'assigned') assigned.add(decodeURIComponent(target));
    if (effect === 'unassigned') assigned.delete(decodeURIComponent(target));
  }
  return [...assigned];
}

test(
  'two sound services: exit 0; each side changes its own users alone, and nobody stays assigned',
  PROVE,
  async () => {
    const both = await bothStarted();
    const { code, stdout } = await both.run();
    expect(stdout).toContain('old (left) beside new (right)\n\nno difference (exit 0): ');
    expect(code).toBe(0);
    for (const side of both.sides) {
      const { projects, users, lock } = await loadConfiguration(side.file, side.env);
      const own = lock ? [...users, lock.user] : users;
      const entries = side.emulator.control.journal.entries();
      const changed = changesIn(entries).map(({ target }) =>
        /projects\/(.*)\/assigned_users\/([^?]*)$/.exec(decodeURIComponent(target)),
      );
      expect(changed.length).toBeGreaterThan(20);
      for (const [, project = '', user = ''] of changed.map((match) => match ?? [])) {
        expect(projects).toContain(project);
        expect(own).toContain(user);
      }
      expect(entries.filter(({ endpoint, status = 0 }) => endpoint === 'token' && status >= 400)).toEqual([]);
      expect(leftBehind(side)).toEqual([]);
    }
    await both.close();
  },
);

test(
  'a difference is found, repeated and shortened on the live services; nobody stays assigned',
  PROVE,
  async () => {
    const faulty = await bothStarted({}, ['list-crosses-projects']);
    const { code } = await faulty.run();
    expect(code).toBe(1);
    const { differences } = JSON.parse(
      readFileSync(join(faulty.report, 'beside.json'), 'utf8'),
    ) as BesideFile;
    const { story } = differences.find(({ about }) => about === 'users listed') ?? {};
    expect(story?.again).toEqual({ shown: 3, of: 3 });
    expect(story?.steps.length).toBeLessThan(8);
    for (const side of faulty.sides) expect(leftBehind(side)).toEqual([]);
    await faulty.close();
  },
);

test(
  'where a budget ends the comparison ends, exit 3, and cleaning up is kept apart from it',
  PROVE,
  async () => {
    const both = await bothStarted({ budget: { requests: 130 } });
    const { code } = await both.run('--requests', '2000');
    expect(code).toBe(3);
    for (const side of both.sides) {
      expect(side.emulator.control.journal.entries().length).toBeLessThan(200);
      expect(leftBehind(side)).toEqual([]);
    }
    await both.close();
  },
);

test('two configurations of one service with the same users are refused, exit 2', async () => {
  const both = await bothStarted();
  const [{ file, env }] = both.sides;
  const { code, stderr } = await runHere(['explore', '--target', file, '--beside', file], env);
  expect(stderr).toContain('the same users of the same service');
  expect(code).toBe(2);
  await both.close();
});

/** The change of users after which the run is ended. */
const MOMENTS = [8, 1, 2, 3, 5, 13, 21, 34].flatMap((change) => [
  { signal: 'SIGTERM', change } as const,
  { signal: 'SIGKILL', change } as const,
]);

for (const [{ signal, change }, details] of firstInTest(MOMENTS, 0))
  test(
    `after ${signal} at change ${change} no user stays assigned on either side${signal === 'SIGKILL' ? ', once swept' : ''}`,
    details,
    async () => {
      const both = await bothStarted();
      const [left] = both.sides;
      const command = both.start('--requests', '3000');
      const { journal } = left.emulator.control;
      for (let since = 0; leftBehind(left).length === 0 || changesIn(journal.entries()).length < change; ) {
        const { entries } = await journal.wait(since, 30);
        since = entries.at(-1)?.sequence ?? since;
      }
      if (signal === 'SIGTERM') command.stop(signal);
      else command.killAll();
      const { code } = await command.end;
      if (signal === 'SIGTERM') expect(code).toBe(3);
      else
        for (const [index, { file, env }] of both.sides.entries()) {
          const target = await liveTarget(withLockAsUser(await loadConfiguration(file, env)));
          const report = index === 0 ? both.report : join(both.report, 'beside');
          const { troubles } = await sweepSession(
            connectWithoutBrowser({ ...target, report }, new SecretRegistry()),
          );
          await target.close();
          expect(troubles).toEqual([]);
        }
      for (const side of both.sides) expect(leftBehind(side)).toEqual([]);
      await both.close();
    },
  );

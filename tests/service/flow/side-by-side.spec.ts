/** Two runs on one service at the same time, each with projects and users of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checkLive } from '../../support/check-live.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';
import { explorationOf } from '../../support/explore-live.ts';
import type { WrittenConfiguration } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

/** Two pieces of work at once on one emulator, with a configuration and, with `owners`, an owner each. */
async function sideBySide<A, B>(
  owners: 'one owner' | 'two owners',
  one: (written: WrittenConfiguration) => Promise<A>,
  other: (written: WrittenConfiguration) => Promise<B>,
): Promise<[A, B]> {
  const directory = test.info().outputPath('.');
  const pacing = { requestsPerSecond: 1_000 };
  const { emulator, file, env } = await startLiveEmulator(directory, [], { pacing });
  const { seed } = emulator;
  const assigned = new Set(seed.assignments.map(({ user }) => user));
  const users = seed.users.map(({ id }) => id).filter((id) => !assigned.has(id));
  const whole = JSON.parse(readFileSync(file, 'utf8'));
  const part = (index: number): WrittenConfiguration => {
    const from = 2 * index;
    const owner = seed.owners[owners === 'one owner' ? 0 : index];
    const own = {
      owner: { login: owner?.email, password: { env: 'STAGING_PASSWORD' } },
      projects: seed.projects.map(({ id }) => id).slice(from, from + 2),
      users: users.slice(from, from + 2),
      lock: false,
    };
    const written = join(directory, `${index}.config.json`);
    writeFileSync(written, JSON.stringify({ ...whole, ...own }));
    return { file: written, env: { ...env, STAGING_PASSWORD: owner?.password ?? '' } };
  };
  try {
    return await Promise.all([one(part(0)), other(part(1))]);
  } finally {
    await emulator.close();
  }
}

test('two explorations of different projects with different users: neither finds or notices anything', async () => {
  const exploring = (seed: number) => (written: WrittenConfiguration) =>
    explorationOf(written, { requests: 150, seed, refusals: true });
  for (const run of await sideBySide('one owner', exploring(1), exploring(2))) {
    const { exploration, everyExchange, troubles } = run;
    expect(troubles).toEqual([]);
    expect(exploration?.findings).toEqual([]);
    expect(exploration?.endedEarly).toBeUndefined();
    expect(exploration?.requests).toBeGreaterThanOrEqual(150);
    expect(everyExchange.flatMap(({ findings }) => findings)).toEqual([]);
  }
});

test(
  'a check beside an exploration, each with an owner of its own too: neither blames the service',
  PROVE,
  async () => {
    const [explored, checked] = await sideBySide(
      'two owners',
      (written) => explorationOf(written, { requests: 300, seed: 3 }),
      (written) => checkLive(written, { only: ['authorize', 'assign', 'unassign', 'list'] }),
    );
    expect([explored.troubles, explored.exploration?.findings]).toEqual([[], []]);
    expect(checked.requirements.filter(({ result }) => result === 'fail')).toEqual([]);
    expect(checked.exitCode, JSON.stringify(checked.troubles)).toBe(0);
  },
);

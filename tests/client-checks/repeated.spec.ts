import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect, test } from '@playwright/test';
import { evaluateVariation } from '../support/faulty-client/evaluate-variation.ts';
import { FAULTS, type VariationId } from '../support/faulty-client/faults.ts';
import { PROVE } from '../support/prove.ts';

/** Every situation twenty times on a busy machine: the same is found each time. `npm run prove` runs it. */

const TIMES = 20;

/** Runs side by side, in one process: each waits for most of its time. */
const AT_ONCE = 4;

/** One that is sound, and those whose mistakes show in a race, by a deadline and by a clock. */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  sound: [],
  'refresh-for-each-call': FAULTS['refresh-for-each-call'],
  'state-forgotten-late': FAULTS['state-forgotten-late'],
  'two-processes-reading-before-the-lock': FAULTS['two-processes-reading-before-the-lock'],
  'refresh-again-when-lost': FAULTS['refresh-again-when-lost'],
};

/** A core's worth of work; it ends by itself where this process is killed. */
const BUSY = 'const end = Date.now() + 1_200_000; while (Date.now() < end);';

const busy: ChildProcess[] = [];

test.describe.configure({ mode: 'serial' });

test.beforeAll(() => {
  for (let count = 0; count < availableParallelism() * 2; count += 1)
    busy.push(spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));
});
test.afterAll(() => {
  for (const child of busy) child.kill('SIGKILL');
});

for (const [variation, broken] of Object.entries(REPEATED)) {
  test(`${variation}: the same ${TIMES} times under load`, PROVE, async () => {
    test.setTimeout(TIMES * 60_000);
    const seen: string[] = [];
    const once = async () => {
      const { broken: found, gaps, missing } = await evaluateVariation(variation as VariationId);
      seen.push(JSON.stringify({ found, gaps, missing }));
    };
    while (seen.length < TIMES) await Promise.all(Array.from({ length: AT_ONCE }, once));
    const expected = JSON.stringify({ found: [...broken].toSorted(), gaps: [], missing: [] });
    expect([...new Set(seen)]).toEqual([expected]);
  });
}

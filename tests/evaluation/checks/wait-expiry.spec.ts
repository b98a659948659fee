/** `--wait-expiry`: tokens are waited for to expire where no clock can be moved, once for all checks. Time is the test's own. */

import { expect, test } from '@playwright/test';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { CHECKS } from '../../../src/evaluation/checks/index.ts';
import { isTimed } from '../../../src/evaluation/language/check.ts';
import { SharedRefusals } from '../../../src/evaluation/language/shared-refusals.ts';
import { attachMonitor } from '../../../src/evaluation/monitor/attach.ts';
import { CheckRunner } from '../../../src/evaluation/run/check-runner.ts';
import { type ReadyTarget, withWaiting } from '../../../src/evaluation/run/prepare-target.ts';
import {
  type Advance,
  longestWait,
  realTime,
  type WaitClock,
  withSharedWait,
} from '../../../src/evaluation/run/shared-wait.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import type { Target } from '../../../src/service/target.ts';

const TIMED = CHECKS.filter(isTimed);

/** A clock that jumps ahead when somebody waits, and notes how long that was, in seconds. */
class LeapingClock implements WaitClock {
  readonly waits: number[] = [];
  readonly #leap: (seconds: number) => Promise<void>;
  #now = 0;

  constructor(leap: (seconds: number) => Promise<void> = async () => undefined) {
    this.#leap = leap;
  }

  now(): number {
    return this.#now;
  }

  busy(seconds: number): void {
    this.#now += seconds * 1_000;
  }

  async until(moment: number): Promise<void> {
    const seconds = Math.max(0, (moment - this.#now) / 1_000);
    this.waits.push(seconds);
    await this.#leap(seconds);
    this.#now += seconds * 1_000;
  }
}

test.describe('a shared wait', () => {
  test('takes as long as the longest of its tasks, and wakes whoever is due first', async () => {
    const clock = new LeapingClock();
    const reported: string[] = [];
    const task = (name: string, ...pauses: readonly number[]) => {
      return async (advance: Advance) => {
        for (const seconds of pauses) {
          await advance(seconds);
          reported.push(`${name} at ${clock.now() / 1_000}`);
        }
        return name;
      };
    };
    const ends = await withSharedWait([task('a', 100, 20), task('b'), task('c', 30, 80)], clock);
    expect(ends).toEqual(['a', 'b', 'c']);
    expect(reported).toEqual(['c at 30', 'a at 100', 'c at 110', 'a at 120']);
    expect(clock.waits.reduce((sum, wait) => sum + wait)).toBe(120);
  });

  test('says by how much a moment may have been missed', async () => {
    const clock = new LeapingClock();
    const slips: number[] = [];
    const slow = async (advance: Advance) => {
      clock.busy(3);
      slips.push(await advance(10));
      clock.busy(4);
    };
    await withSharedWait([slow, slow], clock);
    // The second is due three seconds after the first, which is at work then.
    expect(slips).toEqual([3, 3 + 1]);
  });

  test('goes on when a task fails, and fails as it did', async () => {
    const clock = new LeapingClock();
    let done = false;
    const tasks = [
      async (advance: Advance) => {
        await advance(5);
        throw new Error('lost');
      },
      async (advance: Advance) => {
        await advance(10);
        done = true;
      },
    ];
    await expect(withSharedWait(tasks, clock)).rejects.toThrow('lost');
    expect(done).toBe(true);
  });
});

/** A target that keeps its clock to itself, as staging does, and what it is evaluated on. */
async function withClockless(
  defects: readonly string[],
  work: (prepared: ReadyTarget, clock: LeapingClock) => Promise<void>,
  plan: { readonly waitExpiry?: boolean } = { waitExpiry: true },
): Promise<void> {
  const emulator = await emulatorTarget({ profile: 'doorkeeper-5', defects, sockets: true });
  const { clock: own, forgetConsent: _, restoreAssignments: __, ...rest } = emulator;
  const staging: Target = {
    ...rest,
    kind: 'live',
    isLive: true,
    abilities: new Set([...emulator.abilities].filter((ability) => ability !== 'clock')),
    missing: new Map([['clock', 'it cannot be moved: wait with --wait-expiry']]),
  };
  const target = withWaiting(staging, { target: 'emulator', profile: '', defects: [], ...plan });
  const watched = attachMonitor(connectWithoutBrowser(target, new SecretRegistry()));
  const { session } = watched;
  const smokeFlow = await runSmokeFlow(session);
  const environment = {
    catalogue: loadCatalogue(),
    session: { ...session, requestStyle: smokeFlow.requestStyle },
    smokeFlow,
    sharedRefusals: new SharedRefusals(),
    keepEvidence: false,
  };
  const clock = new LeapingClock(async (seconds) => own?.advance(seconds));
  const prepared = { ready: true, watched, environment, wrongSettings: [], notices: () => [] } as const;
  await work({ ...prepared, close: async () => undefined }, clock);
  await target.close();
}

async function evaluateTimed(prepared: ReadyTarget, clock?: WaitClock) {
  const runner = new CheckRunner(prepared, TIMED, () => undefined, clock);
  const outcomes = new Map<string, string>();
  for (const check of TIMED) {
    const { result } = await runner.run(check);
    outcomes.set(check.id, `${result.result} ${result.reason}`.trim());
  }
  return outcomes;
}

test.describe('checks that need time', () => {
  test('share one wait of 7200 seconds and a little', async () => {
    await withClockless([], async (prepared, clock) => {
      const outcomes = await evaluateTimed(prepared, clock);
      expect([...outcomes.values()]).toEqual(TIMED.map(() => 'pass'));
      expect(TIMED).toHaveLength(5);
      const waited = clock.waits.reduce((sum, wait) => sum + wait);
      expect(waited).toBe(longestWait(TIMED, 0));
      expect(waited).toBeGreaterThan(7_200);
      expect(waited).toBeLessThan(7_300);
    });
  });

  test('still fail where tokens live too long', async () => {
    await withClockless(['lifetime-endless'], async (prepared, clock) => {
      const outcomes = await evaluateTimed(prepared, clock);
      expect(outcomes.get('lifetime.dead-after-7200')).toMatch(/^fail expected .* to be refused/);
      expect(outcomes.get('lifetime.alive-until-7200')).toBe('pass');
    });
  });

  test('do not fail where the moment was missed', async () => {
    await withClockless(['lifetime-half'], async (prepared, clock) => {
      const late: WaitClock = {
        now: () => clock.now(),
        until: async (moment) => {
          await clock.until(moment);
          clock.busy(30);
        },
      };
      const outcomes = await evaluateTimed(prepared, late);
      expect(outcomes.get('lifetime.alive-until-7200')).toMatch(
        /^not-run the moment 7190 s may have been missed by 30 s, so it proves nothing: expected/,
      );
    });
  });

  test('are not applicable where nobody asked for the wait, and the reason says how to', async () => {
    await withClockless(
      [],
      async (prepared) => {
        for (const outcome of (await evaluateTimed(prepared)).values())
          expect(outcome).toBe('not-applicable needs clock: it cannot be moved: wait with --wait-expiry');
      },
      {},
    );
  });
});

test('real time tells how much is left of all waits', async () => {
  const reported: number[] = [];
  const told = new AbortController();
  const tell = (left: number) => {
    reported.push(left);
    told.abort();
  };
  const clock = realTime(7_240, tell, told.signal);
  await clock.until(clock.now() + 60_000);
  expect(reported).toEqual([7_240]);
});

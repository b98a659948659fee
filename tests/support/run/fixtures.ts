import { resolve } from 'node:path';
import { test as base } from '@playwright/test';
import { CollectedRun } from '../../../src/checks/run/collected-run.ts';
import { type Lane, openLane } from '../../../src/checks/run/lane.ts';
import { withOwnBrowser } from '../../../src/checks/run/with-browser.ts';
import { CHECKS } from '../../../src/conformance/index.ts';
import { browserPath } from './browser-path.ts';

/** Names the target: `emulator`, or the path of a configuration file. */
const TARGET = process.env.LEGACY_CONFORMANCE_TARGET || 'emulator';

/** Whether the checks of this run reach a live target. */
export const LIVE = TARGET !== 'emulator';

/** Milliseconds that one check may take, as in `check`. */
export const CHECK_DEADLINE_MS = LIVE ? 600_000 : 60_000;

/** The runner's test function with one worker's {@link Lane}. */
export const test = base.extend<object, { lane: Lane }>({
  lane: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
    async ({}, use) => {
      const run = new CollectedRun();
      const target = LIVE ? { file: resolve(TARGET) } : 'emulator';
      const lane = await openLane({ target, profile: 'doorkeeper-5', defects: [] }, CHECKS, run, {
        connectTo: withOwnBrowser(await browserPath()),
        checkDeadlineMs: CHECK_DEADLINE_MS,
      });
      await use(lane);
      await lane.close();
      const broken = run.troubles.find(({ kind }) => kind === 'broken');
      if (broken !== undefined) throw new Error(run.secrets.redact(broken.message));
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

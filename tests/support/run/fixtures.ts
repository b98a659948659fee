import { resolve } from 'node:path';
import { test as base } from '@playwright/test';
import { evaluated } from '../../../src/app/compose.ts';
import { loadCatalogue } from '../../../src/catalogue/load-catalogue.ts';
import { CollectedRun } from '../../../src/checks/run/collected-run.ts';
import { type Lane, openLane } from '../../../src/checks/run/lane.ts';
import { withOwnBrowser } from '../../../src/checks/run/with-browser.ts';
import { CHECKS } from '../../../src/conformance/index.ts';
import { browserPath } from './browser-path.ts';
import { lateError } from './shards.ts';

/** Names the target: `emulator`, or the path of a configuration file. */
const TARGET = process.env.LEGACY_CONFORMANCE_TARGET || 'emulator';

/** Whether the checks of this run reach a live target. */
export const LIVE = TARGET !== 'emulator';

/** Milliseconds that one check may take, as in `check`. */
export const CHECK_DEADLINE_MS = LIVE ? 600_000 : 60_000;

/** The runner's test function with one worker's {@link Lane}. */
export const test = base.extend<object, { lane: Lane & { readonly collected: CollectedRun } }>({
  lane: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
    async ({}, use) => {
      const run = new CollectedRun();
      const target = LIVE ? { file: resolve(TARGET) } : 'emulator';
      const lane = await openLane({ target, profile: 'doorkeeper-5', defects: [] }, CHECKS, run, {
        connectTo: withOwnBrowser(await browserPath()),
        checkDeadlineMs: CHECK_DEADLINE_MS,
      });
      await use({ ...lane, collected: run });
      const told = new Map(run.outcomes.map(({ result }) => [result.id, result.result]));
      await lane.close();
      const own = run.outcomes.map(({ result }) => result);
      // Other exchanges than its own, and cleaning up, may show a requirement broken when its test has ended.
      const changed = evaluated(loadCatalogue(), own, run).filter(
        ({ id, result }) => result !== told.get(id) && result !== 'warning',
      );
      if (changed.length === 0 && run.troubles.length === 0) return;
      const { message } = lateError({ results: changed, troubles: run.troubles });
      throw new Error(run.secrets.redact(message));
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

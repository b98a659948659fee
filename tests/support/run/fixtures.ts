import { test as base } from '@playwright/test';
import { runPlan } from '../../../src/checks/run/plan.ts';
import { openWorkerRun, type WorkerRun } from '../../../src/checks/run/worker-run.ts';
import { openChannel } from '../../../src/report/channel.ts';

/** The runner's test function with one worker's {@link WorkerRun}, which tells the command, if one listens. */
export const test = base.extend<object, { run: WorkerRun }>({
  run: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
    async ({}, use) => {
      const plan = runPlan();
      const channel = plan.channel === undefined ? undefined : await openChannel(plan.channel);
      const run = await openWorkerRun(plan, (message) => channel?.send(message));
      await use(run);
      await run.close();
      await channel?.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

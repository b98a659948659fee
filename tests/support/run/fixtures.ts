import { test as base } from '@playwright/test';
import { type Channel, openChannel } from '../../../src/report/channel.ts';
import { SecretRegistry } from '../../../src/secrets/registry.ts';
import type { Target } from '../../../src/target/target.ts';
import type { CheckOutcome } from '../check/run-check.ts';
import { leakIfAsked } from './deliberate-leak.ts';
import { type Ground, openGround } from './ground.ts';
import { runPlan } from './plan.ts';

/** One worker's ground, and the way to tell the command what came of a check. */
export interface WorkerRun {
  readonly ground: Ground;
  /** Tells the command; without one listening, does nothing. */
  report(outcome: CheckOutcome): void;
}

/** The runner's test function with one worker's {@link WorkerRun}. */
export const test = base.extend<object, { run: WorkerRun }>({
  run: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
    async ({}, use) => {
      const plan = runPlan();
      const channel = plan.channel === undefined ? undefined : await openChannel(plan.channel);
      const secrets = new SecretRegistry();
      const ground = await openGround(plan, secrets);
      const target = ground.usable ? ground.surroundings.session.target : ground.target;
      if (target !== undefined) tellTarget(channel, target);
      if (!ground.usable) channel?.send({ kind: 'trouble', trouble: ground.trouble });
      await use({
        ground,
        report: (outcome) => channel?.send({ kind: 'result', ...leakIfAsked(outcome, secrets) }),
      });
      if (ground.usable) channel?.send({ kind: 'grants', ...ground.surroundings.session.grants });
      await ground.close();
      channel?.send({ kind: 'secrets', entries: secrets.entries() });
      await channel?.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

function tellTarget(channel: Channel | undefined, target: Target): void {
  channel?.send({
    kind: 'target',
    target: {
      kind: target.kind,
      name: target.name,
      authUrl: target.authUrl,
      baseUrl: target.baseUrl,
      ...(target.profile === undefined ? {} : { profile: target.profile }),
      defects: target.defects,
      abilities: [...target.abilities],
      grants: { page: 0, cookies: 0 },
    },
  });
}

import { test as base } from '@playwright/test';
import { loadCatalogue } from '../../../src/catalogue/load-catalogue.ts';
import { type Channel, openChannel } from '../../../src/report/channel.ts';
import { SecretRegistry } from '../../../src/secrets/registry.ts';
import { walkBase } from '../../../src/target/base-walk.ts';
import { findBrowser } from '../../../src/target/browser/find-browser.ts';
import { connect } from '../../../src/target/connect.ts';
import { openTarget } from '../../../src/target/open-target.ts';
import type { CheckOutcome, CheckSurroundings } from '../check/run-check.ts';
import { bodyViewFor } from './body-view.ts';
import { leakIfAsked } from './deliberate-leak.ts';
import { type RunPlan, runPlan } from './plan.ts';

/** What every check of one worker shares: the target, connected, signed in and walked once. */
export interface Ground {
  readonly plan: RunPlan;
  readonly surroundings: CheckSurroundings;
  /** Why nothing can be said about this target at all, if so. */
  readonly inconclusive: string | undefined;
  /** Tells the command; without one, does nothing. */
  report(outcome: CheckOutcome): void;
}

/** The runner's test function with one worker's {@link Ground}. */
export const test = base.extend<object, { ground: Ground }>({
  ground: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
    async ({}, use) => {
      const plan = runPlan();
      const channel = plan.channel === undefined ? undefined : await openChannel(plan.channel);
      const secrets = new SecretRegistry();
      const target = await openTarget(plan);
      const executablePath = plan.executablePath ?? (await findBrowser())?.executablePath;
      const connection = await connect(target, secrets, executablePath);
      try {
        const walk = await walkBase(connection.session);
        await connection.session.shareCookies();
        const session = { ...connection.session, dialect: walk.dialect };
        const stopped = target.kind === 'live' ? walk.stopped : undefined;
        const inconclusive =
          stopped === undefined || stopped.status === 'wrong'
            ? undefined
            : `${stopped.step}: ${stopped.message}`;
        tellAboutTarget(channel, target, inconclusive);
        await use({
          plan,
          inconclusive,
          surroundings: {
            catalogue: loadCatalogue(),
            session,
            walk,
            bodyView: bodyViewFor(target),
            keepEvidence: true,
          },
          report: (outcome) => channel?.send({ kind: 'result', ...leakIfAsked(outcome, secrets) }),
        });
        channel?.send({ kind: 'grants', ...session.grants });
      } finally {
        await connection.close();
        await target.close();
        channel?.send({ kind: 'secrets', entries: secrets.entries() });
        await channel?.close();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

function tellAboutTarget(
  channel: Channel | undefined,
  target: Awaited<ReturnType<typeof openTarget>>,
  inconclusive: string | undefined,
): void {
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
  if (inconclusive === undefined) return;
  channel?.send({ kind: 'trouble', trouble: { kind: 'inconclusive', message: inconclusive } });
}

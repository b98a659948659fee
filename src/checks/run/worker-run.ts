import type { Risk } from '../../catalogue/types.ts';
import type { RunMessage } from '../../report/channel.ts';
import type { RunTrouble } from '../../report/results.ts';
import { SecretRegistry } from '../../secrets/registry.ts';
import type { Target } from '../../targets/target.ts';
import type { Check } from '../check.ts';
import type { CheckOutcome } from '../run-check.ts';
import { leakIfAsked } from './deliberate-leak.ts';
import { type GroundOptions, openGround } from './ground.ts';
import { Judge } from './judge.ts';
import { longestWait } from './longest-wait.ts';
import { observeOpenPoints } from './observe-open-points.ts';
import type { RunPlan } from './plan.ts';
import { SmokeJudge } from './smoke.ts';
import { Undisturbed } from './undisturbed.ts';
import { realTime } from './wait-clock.ts';

/** One worker's way to judge checks, and to tell the command what came of them. */
export interface WorkerRun {
  /**
   * @param selected all checks of the run
   */
  judge(check: Check, selected: readonly Check[]): Promise<CheckOutcome>;
  report(outcome: CheckOutcome): void;
  /** Observes the open points and tells what was seen. */
  observe(risks: readonly Risk[]): Promise<void>;
  /** Says the last word, and lets go of the target. */
  close(): Promise<void>;
}

/**
 * Opens the target of a plan for one worker.
 *
 * @param send tells the command
 */
export async function openWorkerRun(
  plan: RunPlan,
  send: (message: RunMessage) => void,
  options: GroundOptions = {},
): Promise<WorkerRun> {
  const secrets = new SecretRegistry();
  const ground = await openGround(plan, secrets, options);
  const target = ground.usable ? ground.surroundings.session.target : ground.target;
  if (target !== undefined) send(aboutTarget(target));
  if (!ground.usable) send({ kind: 'trouble', trouble: ground.trouble });
  const waitClock = (selected: readonly Check[]) =>
    realTime(longestWait(selected), (secondsLeft) => send({ kind: 'waiting', secondsLeft }));
  const report = (outcome: CheckOutcome) => send({ kind: 'result', ...leakIfAsked(outcome, secrets) });
  const undisturbed = new Undisturbed(ground, report);
  const tellTroubles = (troubles: readonly RunTrouble[]) => {
    for (const trouble of troubles) send({ kind: 'trouble', trouble });
  };
  const smoke = plan.smoke ? new SmokeJudge(ground, ground.usable ? ground.smoke : undefined) : undefined;
  let judge: Judge | undefined;
  return {
    judge: async (check, selected) => {
      judge ??= new Judge(ground, selected, plan.waitExpiry ? waitClock(selected) : undefined);
      const outcome = await undisturbed.judge(check, smoke ?? judge);
      tellTroubles(undisturbed.troubles());
      return outcome;
    },
    report,
    observe: (risks) => observeOpenPoints(ground, risks, send),
    close: async () => {
      tellTroubles(undisturbed.lastTroubles());
      const last = undisturbed.disturbed === undefined ? await judge?.lastLook() : undefined;
      if (last !== undefined) send({ kind: 'trouble', trouble: last.trouble });
      const retired = ground.usable ? last?.retired === true : ground.retired;
      send({ kind: 'retirement', retired, notices: ground.notices() });
      if (ground.usable) send({ kind: 'grants', ...ground.surroundings.session.grants });
      if (target?.traffic !== undefined) send({ kind: 'used', used: target.traffic.used });
      await ground.close();
      send({ kind: 'secrets', entries: secrets.entries() });
    },
  };
}

function aboutTarget(target: Target): RunMessage {
  return {
    kind: 'target',
    target: {
      kind: target.kind,
      name: target.name,
      authUrl: target.authUrl,
      baseUrl: target.baseUrl,
      profile: target.profile,
      defects: target.defects,
      abilities: [...target.abilities],
      grants: { page: 0, cookies: 0 },
    },
  };
}

import type { Risk } from '../../catalogue/types.ts';
import type { RecordEntry } from '../../exchange/recorder.ts';
import { toEvidence } from '../../exchange/to-evidence.ts';
import type { StepOutcome } from '../../flow/smoke-flow.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { Check } from '../check.ts';
import { noEffect } from '../given.ts';
import { ConformanceFailure } from '../outcome.ts';
import { ownerOfRefusal } from '../resource-owners.ts';
import type { CheckOutcome } from '../run-check.ts';
import type { CollectedRun } from './collected-run.ts';
import { leakIfAsked } from './deliberate-leak.ts';
import { type ExploredRun, type ExplorePlan, exploreLive } from './exploring.ts';
import { type GroundOptions, openGround, type UsableGround } from './ground.ts';
import { Judge } from './judge.ts';
import { lastCleanUp } from './last-clean-up.ts';
import { longestWait } from './longest-wait.ts';
import { monitoredIn } from './monitored.ts';
import { observeOpenPoints } from './observe-open-points.ts';
import { OtherClients } from './other-clients.ts';
import type { RunPlan } from './plan.ts';
import { SmokeJudge } from './smoke.ts';
import { realTime } from './wait-clock.ts';

export interface Lane {
  run(check: Check): Promise<CheckOutcome>;
  observe(risks: readonly Risk[]): Promise<void>;
  /**
   * Tries random sequences.
   *
   * @param aside what they come to where they are tried on another target of the same kind
   */
  explore(plan: ExplorePlan, aside: Promise<ExploredRun> | undefined): Promise<void>;
  close(): Promise<void>;
}

export async function openLane(
  plan: RunPlan,
  selected: readonly Check[],
  run: CollectedRun,
  options: GroundOptions,
): Promise<Lane> {
  const { secrets } = run;
  const { signal } = options;
  const ground = await openGround(plan, secrets, { ...options, selected });
  const target = ground.usable ? ground.surroundings.session.target : ground.target;
  if (target !== undefined) run.opened(target);
  if (!ground.usable) run.trouble(ground.trouble);
  const tellContradictions = (contradictions: readonly string[]) => {
    for (const message of contradictions)
      run.trouble({ kind: 'inconclusive', message: secrets.redact(message) });
  };
  if (ground.usable) tellContradictions(ground.contradictions);
  const keep = (outcome: CheckOutcome) => {
    const kept = leakIfAsked(outcome, secrets);
    run.keep(kept);
    return kept;
  };
  const others = new OtherClients(ground);
  const tell = (troubles: readonly RunTrouble[]) => {
    for (const trouble of troubles) run.trouble(trouble);
  };
  const waitClock = plan.waitExpiry
    ? realTime(
        longestWait(selected, target?.skewSeconds ?? 0),
        (secondsLeft) => run.waiting(secondsLeft),
        signal,
      )
    : undefined;
  const judge = plan.smoke
    ? new SmokeJudge(ground, ground.usable ? ground.smoke : undefined)
    : new Judge(ground, selected, waitClock);
  return {
    run: async (check) => {
      const outcome = await others.run(check, () => judge.judge(check));
      tell(others.troubles());
      if (judge instanceof Judge) tellContradictions(judge.contradictions);
      return keep(outcome);
    },
    observe: (risks) => observeOpenPoints(ground, risks, run),
    explore: async (wanted, aside) => {
      if (!ground.usable) return;
      const { watched, surroundings } = ground;
      // Where checks run too, theirs is the word on what the smoke flow has seen.
      const { stopped } = surroundings.walk;
      if (selected.length === 0 && stopped?.status === 'wrong')
        run.trouble({ kind: 'inconclusive', message: secrets.redact(seenBySmokeFlow(stopped)) });
      const done = await (aside ?? exploreLive(watched, surroundings.session, wanted, others, signal));
      run.explored(done.explored);
      if (done.seen !== undefined) run.monitored(done.seen);
      tell(others.troubles());
    },
    close: async () => {
      if (ground.usable) await endOf(ground, run, others.disturbed !== undefined);
      tell(others.lastTroubles());
      const mayLook = others.disturbed === undefined && signal?.aborted !== true;
      const last = mayLook && judge instanceof Judge ? await judge.lastLook() : undefined;
      if (last !== undefined) run.trouble(last.trouble);
      const retired = ground.usable ? last?.retired === true : ground.retired;
      run.retirement(retired, ground.notices(), ground.usable ? undefined : ground.proof);
      if (ground.usable) {
        run.granted(ground.surroundings.session.grants);
        run.monitored(monitoredIn(ground, others.disturbed !== undefined));
      }
      if (target?.traffic !== undefined) run.used(target.traffic.used);
      await ground.close();
    },
  };
}

async function endOf({ surroundings }: UsableGround, run: CollectedRun, disturbed: boolean): Promise<void> {
  const { session, bodyView, walk } = surroundings;
  const evidenceOf = (entries: readonly RecordEntry[]) => toEvidence(entries, session.secrets, bodyView);
  const { stopped } = walk;
  if (stopped?.step === 'unassign' && stopped.httpStatus !== undefined) {
    const got = `status ${stopped.httpStatus}`;
    const refused = new ConformanceFailure('unassign to be honoured for a user who is listed', got);
    const evidence = evidenceOf(stopped.entries);
    run.seenBroken(ownerOfRefusal('unassign', stopped.httpStatus), refused, {
      where: 'the smoke flow',
      evidence,
    });
  }
  const left = await lastCleanUp(session);
  if (left === undefined) return;
  if (left.acknowledged && left.listed && !disturbed)
    run.seenBroken('unassign.removes-user', noEffect('unassign'), {
      where: 'cleaning up',
      evidence: evidenceOf(left.entries),
    });
  run.note({
    kind: 'left-assigned',
    message: session.secrets.redact(left.message),
    explainedBy: [session.leftovers.owner, 'unassign.removes-user', 'list.returns-assigned'],
    unknown: disturbed || (left.answered && !left.listed),
  });
}

function seenBySmokeFlow({ step, message }: StepOutcome): string {
  return `before exploring, the smoke flow stopped at ${step}: ${message}; run \`check\`, which evaluates it`;
}

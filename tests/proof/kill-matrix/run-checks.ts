import type { RequirementId } from '../../../generated/ids.ts';
import { evaluateFacts } from '../../../src/commands/shared/run-of.ts';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { CHECKS } from '../../../src/evaluation/checks/index.ts';
import type { Check } from '../../../src/evaluation/language/check.ts';
import { SharedRefusals } from '../../../src/evaluation/language/shared-refusals.ts';
import { attachMonitor, monitoredTarget } from '../../../src/evaluation/monitor/attach.ts';
import type { MonitorEvent } from '../../../src/evaluation/monitor/events.ts';
import type { MonitoredTarget } from '../../../src/evaluation/monitor/token-model.ts';
import { type CheckOutcome, notRun } from '../../../src/evaluation/run/check-outcome.ts';
import { CollectedRun } from '../../../src/evaluation/run/collected-run.ts';
import { runCheck } from '../../../src/evaluation/run/run-check.ts';
import { scheduledChecks } from '../../../src/evaluation/run/run-checks.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import type { RequirementResult } from '../../../src/report/results.ts';
import { FACT_RULES, type FactRule } from '../../../src/report/results-of.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import type { Session } from '../../../src/service/flow/session.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import type { Target } from '../../../src/service/target.ts';

/** The end of one check, without values that differ between runs. */
export interface RowOutcome {
  readonly id: RequirementId;
  readonly result: RequirementResult['result'];
  readonly reason: string;
  /** The requirement behind a `blocked`. */
  readonly blockedBy?: RequirementId;
  /** Set when the check itself did not work, or did not end. */
  readonly broken?: string;
  /** Its own check did not fail; an exchange of the run did, whatever it was sent for. */
  readonly byMonitor?: true;
  /** The rules of the fold without which the result would be another, in their own words. */
  readonly rules?: readonly string[];
}

/** Is told what a monitor is told. */
type Told = (event: MonitorEvent, target: MonitoredTarget) => void;

/** Milliseconds that one check may take in-process, where a whole run takes less than one second. */
const CHECK_DEADLINE_MS = 30_000;

/** The checks in the order of a conformance run. */
export const CHECKS_IN_ORDER: readonly Check[] = scheduledChecks(CHECKS);

/**
 * Runs the smoke flow on a target without a browser and runs checks, in the order of a conformance run all of them.
 * Closes the target.
 *
 * @param reported gets what the monitor gets, and of which target
 * @returns one outcome per check
 */
export async function runWithoutBrowser(
  target: Target,
  checks: readonly Check[] = CHECKS_IN_ORDER,
  reported?: Told,
): Promise<readonly RowOutcome[]> {
  try {
    return await runChecks(connectWithoutBrowser(target, new SecretRegistry()), checks, reported);
  } finally {
    await target.close();
  }
}

/**
 * Runs the smoke flow on a session and runs some checks, in the given order. Every exchange is evaluated beside them, so that a
 * requirement may fail although its own check passed.
 */
export async function runChecks(
  connected: Session,
  checks: readonly Check[],
  reported?: Told,
): Promise<readonly RowOutcome[]> {
  const about = monitoredTarget(connected.target);
  const also = reported && ((event: MonitorEvent) => reported(event, about));
  const { session, monitor, during } = attachMonitor(connected, undefined, also);
  const smokeFlow = await runSmokeFlow(session);
  const catalogue = loadCatalogue();
  const speaking = { ...session, requestStyle: smokeFlow.requestStyle };
  const run = new CollectedRun();
  const sharedRefusals = new SharedRefusals();
  for (const check of checks) {
    const session = during(check.id, speaking);
    const context = { catalogue, session, smokeFlow, sharedRefusals, keepEvidence: false };
    run.keep(await withinDeadline(check, runCheck(check, context)));
  }
  monitor.end();
  const { examples, findings } = monitor;
  run.note({ kind: 'in-exchanges', examples, findings });
  return outcomesOf(run);
}

/** Returns the product's own results of a run, one outcome for each check. */
export function outcomesOf(run: CollectedRun): readonly RowOutcome[] {
  const ids = run.outcomes.map(({ result }) => result.id as RequirementId);
  const folded = (rules: readonly FactRule[]) => {
    const { requirements } = evaluateFacts(ids, run, [], 'not-run', rules);
    return new Map(requirements.map((result) => [result.id, result]));
  };
  const results = folded(FACT_RULES);
  const without = FACT_RULES.map((rule) => ({
    says: rule.says,
    results: folded(FACT_RULES.filter((other) => other !== rule)),
  }));
  return run.outcomes.map(({ result: own, broken }) => {
    const result = results.get(own.id) ?? own;
    const byMonitor = hasFailed(result) && !hasFailed(own) ? { byMonitor: true as const } : {};
    const needed = without.filter((fold) => fold.results.get(own.id)?.result !== result.result);
    const rules = needed.map(({ says }) => says);
    return { ...withoutTimes({ result, broken }), ...byMonitor, ...(rules.length > 0 && { rules }) };
  });
}

function hasFailed({ result }: RequirementResult): boolean {
  return result === 'fail' || result === 'warning';
}

/** A check that never ends is no kill: it is told apart from a failure, and the run goes on. */
async function withinDeadline(check: Check, running: Promise<CheckOutcome>): Promise<CheckOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckOutcome>((resolve) => {
    const reason = `the check did not end within ${CHECK_DEADLINE_MS / 1000} s`;
    timer = setTimeout(() => resolve({ ...notRun(check.id, reason), broken: reason }), CHECK_DEADLINE_MS);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A check's result, reduced to the parts that two runs share. */
function withoutTimes({ result, broken }: Pick<CheckOutcome, 'result' | 'broken'>): RowOutcome {
  return {
    id: result.id as RequirementId,
    result: result.result,
    reason: result.reason,
    ...(result.blockedBy === undefined ? {} : { blockedBy: result.blockedBy as RequirementId }),
    broken,
  };
}

import type { RequirementId } from '../../generated/ids.ts';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { type CheckOutcome, runCheck } from '../support/check/run-check.ts';
import { confirmFailure } from '../support/run/confirm.ts';
import { test } from '../support/run/fixtures.ts';
import { runPlan } from '../support/run/plan.ts';
import { CHECKS } from './checks/index.ts';

/**
 * Registers every check as one test. With a command listening, a judged result is told to it and the test ends quietly: a
 * failing test would cost a new worker, and on a live target a second sign-in; the exit code comes from the verdict.
 * Started by hand, without anybody listening, a result that is no pass fails its test, so that nothing is green by
 * accident.
 */
const catalogue = loadCatalogue();
const { only, channel } = runPlan();
const selected = CHECKS.filter((check) => only.length === 0 || only.includes(check.id));
// What provokes refusals and replays runs last: it may revoke or lock.
const ordered = [...selected.filter((c) => !c.provokes), ...selected.filter((c) => c.provokes)];

test.describe.configure({ mode: 'parallel' });

for (const check of ordered) {
  const { statement, clause } = catalogue.requirement(check.id);
  test(`${check.id} (${clause}): ${statement}`, {
    annotation: { type: 'requirement', description: check.id },
  }, async ({ run: { ground, report } }) => {
    const outcome = ground.usable
      ? await confirmFailure(await runCheck(check, ground.surroundings), ground.surroundings)
      : notRun(check.id, ground.trouble.message);
    report(outcome);
    if (channel === undefined) failLoudly(outcome);
  });
}

function notRun(id: RequirementId, reason: string): CheckOutcome {
  const { clause, level } = catalogue.requirement(id);
  return {
    result: { id, clause, level, result: 'not-run', reason, durationMs: 0, evidence: [] },
    observations: [],
  };
}

function failLoudly({ result, broken }: CheckOutcome): void {
  if (broken !== undefined) throw new Error(broken);
  if (result.result === 'pass' || result.result === 'not-applicable') return;
  if (result.result === 'warning') {
    test.info().annotations.push({ type: 'warning', description: result.reason });
    return;
  }
  throw new Error(`${result.result}: ${result.reason}`);
}

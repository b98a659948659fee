import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { isTimed } from '../../src/checks/check.ts';
import { longestWait } from '../../src/checks/run/longest-wait.ts';
import { runPlan } from '../../src/checks/run/plan.ts';
import type { CheckOutcome } from '../../src/checks/run-check.ts';
import { CHECKS } from '../../src/conformance/index.ts';
import { test } from '../support/run/fixtures.ts';

/**
 * Registers every check as one test. With a command listening, a judged result is told to it and the test ends quietly: a
 * failing test would cost a new worker, and on a live target a second sign-in; the exit code comes from the verdict.
 * Started by hand, without anybody listening, a result that is no pass fails its test, so that nothing is green by
 * accident.
 */
const catalogue = loadCatalogue();
const { only, channel, waitExpiry, observe } = runPlan();
const selected = CHECKS.filter((check) => only.length === 0 || only.includes(check.id));
// What provokes refusals and replays runs last: it may revoke or lock.
const ordered = [...selected.filter((c) => !c.provokes), ...selected.filter((c) => c.provokes)];
const timed = ordered.filter(isTimed).length;

test.describe.configure({ mode: 'parallel' });

for (const check of ordered) {
  const { statement, clause } = catalogue.requirement(check.id);
  test(`${check.id} (${clause}): ${statement}`, {
    annotation: { type: 'requirement', description: check.id },
  }, async ({ run: { judge, report } }) => {
    // The first check that needs time to pass waits for all of them.
    if (waitExpiry && isTimed(check))
      test.setTimeout(test.info().timeout * timed + longestWait(ordered) * 1_000);
    const outcome = await judge(check, ordered);
    report(outcome);
    if (channel === undefined) failLoudly(outcome);
  });
}

// After the checks: some probes revoke.
if (observe !== undefined) {
  test('the open points, observed', async ({ run }) => run.observe(observe));
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

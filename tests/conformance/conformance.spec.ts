import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { inOrder } from '../../src/checks/run/run-checks.ts';
import type { CheckOutcome } from '../../src/checks/run-check.ts';
import { CHECKS } from '../../src/conformance/index.ts';
import { CHECK_DEADLINE_MS, LIVE, test } from '../support/run/fixtures.ts';
import { ATTACHMENT, type Attached } from '../support/run/shards.ts';

/**
 * Every check as one Playwright test, for who wants UI mode, the trace viewer, sharding or reporters:
 *
 *     npx playwright test --project=conformance
 *
 * The target is the emulator, or the live target whose configuration file `LEGACY_CONFORMANCE_TARGET` names. The verdict, the report and the exit
 * codes are those of `check`, which runs the same values without a test runner. In shards, `tests/support/run/verdict-reporter.ts` makes one verdict.
 */
const catalogue = loadCatalogue();

/** The runner then ends the test; the check ends first. */
const SLACK_MS = 60_000;

test.describe.configure({ mode: LIVE ? 'default' : 'parallel', timeout: CHECK_DEADLINE_MS + SLACK_MS });

test.beforeAll(({ trace, video, screenshot }) => {
  if (LIVE) refuseRecording({ trace, video, screenshot });
});

for (const check of inOrder(CHECKS)) {
  const { statement, clause } = catalogue.requirement(check.id);
  test(`${check.id} (${clause}): ${statement}`, {
    annotation: { type: 'requirement', description: check.id },
  }, async ({ lane }) => {
    const outcome = await lane.run(check);
    test.info().annotations.push({ type: 'result', description: outcome.result.result });
    const attached: Attached = {
      result: outcome.result,
      catalogueDigest: catalogue.digest,
      target: lane.collected.target,
    };
    await test.info().attach(ATTACHMENT, { body: JSON.stringify(attached), contentType: 'application/json' });
    failLoudly(outcome);
  });
}

/** What the runner records of pages holds passwords, codes and people. */
function refuseRecording(
  options: Pick<PlaywrightTestOptions & PlaywrightWorkerOptions, 'trace' | 'video' | 'screenshot'>,
): void {
  const on = Object.entries(options).filter(([, value]) => {
    const mode = typeof value === 'string' ? value : value?.mode;
    return mode !== 'off' && mode !== undefined;
  });
  if (on.length === 0) return;
  throw new Error(
    `${on.map(([name]) => name).join(', ')}: expected \`off\` on a live target, because what is recorded holds passwords and tokens`,
  );
}

/** Results that are no pass fail their test, so that nothing is green by accident. */
function failLoudly({ result, broken }: CheckOutcome): void {
  if (broken !== undefined) throw new Error(broken);
  if (result.result === 'pass' || result.result === 'not-applicable') return;
  if (result.result === 'warning') {
    test.info().annotations.push({ type: 'warning', description: result.reason });
    return;
  }
  throw new Error(`${result.result}: ${result.reason}`);
}

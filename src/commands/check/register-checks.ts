import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { CHECKS } from '../../evaluation/checks/index.ts';
import type { CheckOutcome } from '../../evaluation/run/check-outcome.ts';
import { CollectedRun } from '../../evaluation/run/collected-run.ts';
import { scheduledChecks } from '../../evaluation/run/run-checks.ts';
import { openWorker, type Worker } from '../../evaluation/run/worker.ts';
import { connectingLive } from '../shared/connection.ts';
import { evaluateFacts } from '../shared/run-of.ts';
import { selectRequirements } from '../shared/selection.ts';
import { resolveTarget } from '../shared/target.ts';
import { CHECK_KINDS, type CheckOptions } from './options.ts';
import { CHECK_DEADLINE_MS } from './resolve.ts';

/** The `test` that @playwright/test exports. */
export type PlaywrightTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;

/** The options of a check that the runner leaves to the suite. */
export type RegisterOptions = Pick<CheckOptions, 'profile' | 'defects' | 'only' | 'env'>;

const { profile, defects, only, env } = CHECK_KINDS;
const KINDS: KindsOf<RegisterOptions> = { profile, defects, only, env };

/** Milliseconds: the runner ends a test later than the suite ends its check. */
const SLACK_MS = 60_000;

/** Milliseconds to open a target, and to clean up. */
const WORKER_MS = 300_000;

/**
 * Registers every check as one test of the runner, for sharding, UI mode and reporters. Call it at the top of a file of tests. A
 * failed test has the message of `check`. The exit code is the runner's. Known deviations and `--like` do not apply.
 *
 * @param test of your own @playwright/test: the runner refuses another copy's
 * @param target `emulator`, or the path of a configuration file. Default: the variable `LEGACY_CONFORMANCE_TARGET`, then the
 * emulator
 * @throws TypeError for an unknown option, UsageError for an unknown requirement
 */
export function registerChecks(
  test: PlaywrightTest,
  target: string = process.env.LEGACY_CONFORMANCE_TARGET || 'emulator',
  options: RegisterOptions = {},
): void {
  requireKinds('registerChecks', options, KINDS);
  const catalogue = loadCatalogue();
  const { ids } = selectRequirements(options.only ?? []);
  const live = target !== 'emulator';
  const deadlineMs = CHECK_DEADLINE_MS[live ? 'live' : 'emulator'];
  const checkTest = test.extend<object, { conformanceWorker: Worker }>({
    conformanceWorker: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
      async ({}, use) => withWorker(target, options, deadlineMs, use),
      { scope: 'worker', timeout: WORKER_MS },
    ],
  });
  // Each test may run in another shard; on the emulator, in another worker too.
  checkTest.describe.configure({ mode: 'parallel', timeout: deadlineMs + SLACK_MS });
  checkTest.beforeAll(({ trace, video, screenshot }) => {
    if (live) refuseOnLiveTarget({ trace, video, screenshot }, checkTest.info().config.workers);
  });
  for (const check of scheduledChecks(CHECKS.filter(({ id }) => ids.includes(id)))) {
    const { statement, clause } = catalogue.requirement(check.id);
    const annotation = { type: 'requirement', description: check.id };
    checkTest(`${check.id} (${clause}): ${statement}`, { annotation }, async ({ conformanceWorker }) => {
      const info = checkTest.info();
      const outcome = await conformanceWorker.run(check);
      const { result } = outcome;
      info.annotations.push({ type: 'result', description: result.result });
      await info.attach('result', { body: JSON.stringify(result), contentType: 'application/json' });
      if (result.result === 'warning') info.annotations.push({ type: 'warning', description: result.reason });
      const unevaluated = result.result === 'blocked' || result.result === 'not-run';
      // A failed test restarts its worker, with a sign-in: on a service that is down, each check would sign in. The worker's
      // end fails instead.
      if (live && unevaluated && outcome.broken === undefined) info.skip(true, words(outcome));
      failLoudly(outcome);
    });
  }
}

/**
 * Recordings of pages would hold passwords, codes and personal data; two workers would unassign each other's users.
 *
 * @throws Error for options that do not fit a live target
 */
function refuseOnLiveTarget(
  options: Pick<PlaywrightTestOptions & PlaywrightWorkerOptions, 'trace' | 'video' | 'screenshot'>,
  workers: number,
): void {
  if (workers > 1)
    throw new Error(
      `workers: expected 1 on a live target (--workers=1), got ${workers}, because two workers would unassign each other's users`,
    );
  const on = Object.entries(options).filter(([, value]) => {
    const mode = typeof value === 'string' ? value : value?.mode;
    return mode !== 'off' && mode !== undefined;
  });
  if (on.length === 0) return;
  throw new Error(
    `${on.map(([name]) => name).join(', ')}: expected \`off\` on a live target, because what is recorded holds passwords and tokens`,
  );
}

const words = ({ result }: CheckOutcome) => `${result.result}: ${result.reason}`;

/** A result that is no pass fails its test, so that none is green by accident. */
function failLoudly(outcome: CheckOutcome): void {
  if (outcome.broken !== undefined) throw new Error(outcome.broken);
  if (['pass', 'not-applicable', 'warning'].includes(outcome.result.result)) return;
  throw new Error(words(outcome));
}

async function withWorker(
  target: string,
  { profile, defects, env }: RegisterOptions,
  checkDeadlineMs: number,
  use: (worker: Worker) => Promise<void>,
): Promise<void> {
  const run = new CollectedRun();
  const { choice, configuration } = await resolveTarget({ target, profile, defects, env });
  const worker = await openWorker(choice, CHECKS, run, { connectTo: connectingLive(), checkDeadlineMs });
  await use(worker);
  const outcomes = new Map(run.outcomes.map(({ result }) => [result.id, result.result]));
  await worker.close();
  const ids = run.outcomes.map(({ result }) => result.id as RequirementId);
  const { requirements, troubles } = evaluateFacts(ids, run);
  // Other exchanges, and the clean-up, may show a requirement broken after its test has ended. On a live target an unevaluated
  // test has not failed yet.
  const changed = requirements.filter(
    ({ id, result }) =>
      (result !== outcomes.get(id) && result !== 'warning') ||
      (configuration !== undefined && (result === 'blocked' || result === 'not-run')),
  );
  if (changed.length === 0 && troubles.length === 0) return;
  const problems = [
    ...changed.map(({ id, result, reason }) => `${id} ${result}: ${reason}`),
    ...troubles.map(({ message }) => message),
  ];
  throw new Error(run.secrets.redact(`after the last check: ${problems.join('; ')}`));
}

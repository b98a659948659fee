import type { Browser } from '@playwright/test';
import { runOfChecks } from '../../src/commands/shared/run-of.ts';
import { selectRequirements } from '../../src/commands/shared/selection.ts';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import { LIVE_REQUESTS } from '../../src/evaluation/explore/explore.ts';
import { CollectedRun } from '../../src/evaluation/run/collected-run.ts';
import type { PrepareOptions } from '../../src/evaluation/run/prepare-target.ts';
import { SMOKE_CHECKS } from '../../src/evaluation/run/smoke-checks.ts';
import { openWorker } from '../../src/evaluation/run/worker.ts';
import type { Transport } from '../../src/http/exchange.ts';
import type { RequirementResult, Results } from '../../src/report/results.ts';
import { assembleResults } from '../../src/report/verdict.ts';
import type { Configuration } from '../../src/service/configuration/configuration.ts';
import { loadConfiguration } from '../../src/service/configuration/load-configuration.ts';
import { type Connect, connectThrough, connectWithoutBrowser } from '../../src/service/flow/connect.ts';
import type { Target } from '../../src/service/target.ts';
import { CHECKS_IN_ORDER } from '../proof/kill-matrix/run-checks.ts';
import { anyDefectsById } from '../proof/second-order/index.ts';
import { emulatorAsLiveTarget, OPENED_ELSEWHERE } from './emulator-as-live.ts';
import type { WrittenConfiguration } from './live-config.ts';

export interface EvaluateOptions {
  /** The value of `--only`; everything when empty. */
  readonly only?: readonly string[];
  /** Explores as a default run does. */
  readonly explores?: boolean;
  /** As `--smoke` does. */
  readonly smoke?: boolean;
  /** A browser that runs already; without one the form agent walks the pages. */
  readonly browser?: Browser;
  /** Called before each check, with the number of those that have ended. */
  readonly beforeCheck?: (done: number) => void;
  readonly afterCheck?: (result: RequirementResult) => void;
}

/** Checks a live target in this process, on the command's own path; the runner between, and the files, are left out. */
export async function checkLive(
  { file, env }: WrittenConfiguration,
  options: EvaluateOptions = {},
): Promise<Results> {
  return resultsThrough(
    { target: await loadConfiguration(file, env), connectTo: through(options.browser) },
    options,
  );
}

/** As {@link checkLive}, a target that is opened otherwise than from a file. */
export function checkOpened(open: () => Promise<Target>, options: EvaluateOptions = {}): Promise<Results> {
  return resultsThrough({ target: OPENED_ELSEWHERE, connectTo: through(options.browser), open }, options);
}

/** Checks, and explores unless `only` is given, the emulator as a live target that follows the standard and remembers consent, behind a transport. */
export async function checkBehind(
  behind: (inner: Transport) => Transport,
  only: readonly string[] = [],
  defects: readonly string[] = [],
  change: (target: Target) => Target = (target) => target,
): Promise<Results> {
  const profile = await loadProfile('by-the-rfc');
  return checkOpened(
    async () => {
      const target = await emulatorAsLiveTarget(profile, anyDefectsById(defects), (configuration) => ({
        ...configuration,
        consent: { ...configuration.consent, shown: 'once' },
      }));
      return { ...change(target), transport: behind(target.transport) };
    },
    { only, explores: only.length === 0 },
  );
}

async function resultsThrough(
  { target, ...options }: PrepareOptions & { readonly target: Configuration },
  { only = [], smoke = false, explores = false, beforeCheck, afterCheck }: EvaluateOptions,
): Promise<Results> {
  const startedAt = new Date();
  const begun = performance.now();
  const selection = selectRequirements(smoke ? SMOKE_CHECKS : only);
  const run = new CollectedRun();
  const plan = { target, profile: '', defects: [], smoke };
  const selected = CHECKS_IN_ORDER.filter(({ id }) => selection.ids.includes(id));
  const worker = await openWorker(plan, selected, run, options);
  for (const [done, check] of selected.entries()) {
    beforeCheck?.(done);
    const { result } = await worker.run(check);
    afterCheck?.(result);
  }
  if (explores) {
    const plan = {
      requests: LIVE_REQUESTS,
      asBudgetAllows: true,
      seed: 1,
      replays: [],
      refusals: false,
    } as const;
    await worker.explore(plan, undefined);
  }
  await worker.close();
  const nowhere = { authUrl: 'nowhere', baseUrl: 'nowhere', defects: [], abilities: [] } as const;
  return assembleResults(
    runOfChecks(selection, run, [], {
      strict: false,
      startedAt,
      durationMs: performance.now() - begun,
      intended: { kind: 'live', name: 'not opened', ...nowhere, grants: { page: 0, cookies: 0 } },
    }),
  );
}

function through(browser: Browser | undefined): Connect {
  if (browser !== undefined) return (target, secrets) => connectThrough(browser, target, secrets);
  return async (target, secrets) => ({
    session: connectWithoutBrowser(target, secrets),
    close: async () => undefined,
  });
}

/** Ids of the requirements that came to a result, in the order of the results; none without results. */
export function idsWith(results: Results | undefined, result: string): readonly string[] {
  return (results?.requirements ?? []).filter((r) => r.result === result).map((r) => r.id);
}

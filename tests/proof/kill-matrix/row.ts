import type { Browser } from 'playwright-core';
import type { Defect } from '../../../src/emulator/defects/define-defect.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { WholeProfile } from '../../../src/emulator/policy/profile.ts';
import type { Check } from '../../../src/evaluation/language/check.ts';
import { CollectedRun } from '../../../src/evaluation/run/collected-run.ts';
import { openWorker } from '../../../src/evaluation/run/worker.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import type { RunTrouble } from '../../../src/report/results.ts';
import { launchBrowser } from '../../../src/service/agent/browser/launch.ts';
import { endBrowser } from '../../../src/service/agent/browser/start-chromium.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectThrough, connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import type { Target } from '../../../src/service/target.ts';
import { emulatorAsLiveTarget, OPENED_ELSEWHERE } from '../../support/emulator-as-live.ts';
import { anyDefectsById } from '../second-order/index.ts';
import { CHECKS_IN_ORDER, outcomesOf, type RowOutcome, runChecks, runWithoutBrowser } from './run-checks.ts';

/** One row to run: a defect, or none for the base profile by itself. */
export interface RowTask {
  readonly defect: string | undefined;
  /** True to rerun its failed checks in a real browser. */
  readonly browser: boolean;
  /** True for the emulator as a live target, with all that a live run does; once, and without a browser. */
  readonly live?: boolean;
}

/** The result of a row. */
export interface RowRun {
  readonly defect: string | undefined;
  readonly outcomes: readonly RowOutcome[];
  /** Outcomes of the failed checks, each by itself on an emulator that no other check has touched. */
  readonly alone: readonly RowOutcome[];
  /** Outcomes of the failed checks in a real browser; absent where none was asked for. */
  readonly inBrowser?: readonly RowOutcome[];
  /** The live run's own messages. */
  readonly troubles?: readonly RunTrouble[];
  readonly durationMs: number;
  /** The reason why there are no outcomes. */
  readonly failure?: string;
}

/** This worker's browser: every emulator has the same address, ports apart, so one set of rules holds for all. */
let kept: Promise<Browser> | undefined;

const profiles = new Map<string, Promise<WholeProfile>>();

/**
 * Runs one row on a fresh emulator.
 *
 * @param profile id of the base profile
 * @param executablePath the browser's binary, where the task wants a browser; without it the runner's own
 */
export async function runRow(
  task: RowTask,
  profile: string,
  executablePath: string | undefined,
): Promise<RowRun> {
  const begun = performance.now();
  const base = await parsedOnce(profile);
  const defects = task.defect === undefined ? [] : anyDefectsById([task.defect]);
  if (task.live) {
    const { outcomes, troubles } = await runLive(base, defects);
    const durationMs = Math.round(performance.now() - begun);
    return { defect: task.defect, outcomes, alone: [], troubles, durationMs };
  }
  const outcomes = await runWithoutBrowser(await emulatorTarget({ profile: base, defects, sockets: false }));
  const failed = CHECKS_IN_ORDER.filter((check) => {
    const result = outcomes.find(({ id }) => id === check.id)?.result;
    return result === 'fail' || result === 'warning';
  });
  const alone: RowOutcome[] = [];
  for (const check of failed) {
    const target = await emulatorTarget({ profile: base, defects, sockets: false });
    alone.push(...(await runWithoutBrowser(target, [check])));
  }
  const inBrowser =
    task.browser && failed.length > 0
      ? await runInBrowser(
          await emulatorTarget({ profile: base, defects, sockets: true }),
          executablePath,
          failed,
        )
      : undefined;
  const durationMs = Math.round(performance.now() - begun);
  return { defect: task.defect, outcomes, alone, durationMs, ...(inBrowser && { inBrowser }) };
}

/** The product's own path: sockets, a browser for pages, the form agent for plain codes. */
async function runInBrowser(
  target: Target,
  executablePath: string | undefined,
  checks: readonly Check[],
): Promise<readonly RowOutcome[]> {
  try {
    kept ??= launchBrowser({
      executablePath,
      redirectUris: target.application.redirectUris,
      serviceUrls: [target.authUrl, target.baseUrl],
      onlyService: true,
    }).then(({ browser }) => browser);
    const connection = await connectThrough(await kept, target, new SecretRegistry());
    try {
      return await runChecks(connection.session, checks);
    } finally {
      await connection.close();
    }
  } finally {
    await target.close();
  }
}

/** Closes what this worker keeps from row to row. */
export async function closeKept(): Promise<void> {
  if (kept !== undefined) await endBrowser(await kept);
}

/** Parsing a profile takes a tenth of a row's time. */
function parsedOnce(id: string): Promise<WholeProfile> {
  const known = profiles.get(id) ?? loadProfile(id);
  profiles.set(id, known);
  return known;
}

/** The results of all checks on the emulator as a live target. */
interface LiveRun {
  readonly outcomes: readonly RowOutcome[];
  readonly troubles: readonly RunTrouble[];
}

/**
 * Runs every check on an emulator that is configured as a live target, on the path of `check`: one worker, own users, lock,
 * confirmation, clean-up, a last look. Without a browser.
 */
async function runLive(profile: WholeProfile, defects: readonly Defect[]): Promise<LiveRun> {
  const asking: WholeProfile = {
    ...profile,
    answers: {
      ...profile.answers,
      'consent-memory.remembered': false,
      'consent-memory.remembered-for-fewer': false,
    },
  };
  const run = new CollectedRun();
  const plan = { target: OPENED_ELSEWHERE, profile: '', defects: [] };
  const worker = await openWorker(plan, CHECKS_IN_ORDER, run, {
    open: () => emulatorAsLiveTarget(asking, defects),
    keepEvidence: false,
    connectTo: async (target, secrets) => ({
      session: connectWithoutBrowser(target, secrets),
      close: async () => undefined,
    }),
  });
  for (const check of CHECKS_IN_ORDER) await worker.run(check);
  await worker.close();
  return { outcomes: outcomesOf(run), troubles: run.troubles };
}

import type { RequirementId } from '../../../generated/ids.ts';
import { evaluated } from '../../../src/app/compose.ts';
import { loadCatalogue } from '../../../src/catalogue/load-catalogue.ts';
import { CollectedRun } from '../../../src/checks/run/collected-run.ts';
import { openLane } from '../../../src/checks/run/lane.ts';
import type { Defect } from '../../../src/emulator/defects/define-defect.ts';
import type { WholeProfile } from '../../../src/emulator/profile.ts';
import { connectWithoutBrowser } from '../../../src/flow/connect.ts';
import type { RunTrouble } from '../../../src/report/results.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';
import { CHECKS_IN_ORDER, type RowOutcome, withoutTimes } from './run-checks.ts';

/** The results of all checks on the emulator as a live target. */
export interface LiveRun {
  readonly outcomes: readonly RowOutcome[];
  readonly troubles: readonly RunTrouble[];
}

/**
 * Runs every check on an emulator that is configured as a live target, on the path of `check`: one lane, own users, project
 * watch, confirmation, clean-up, a last look. Without a browser.
 */
export async function runLive(profile: WholeProfile, defects: readonly Defect[]): Promise<LiveRun> {
  const asking: WholeProfile = {
    ...profile,
    answers: {
      ...profile.answers,
      'consent-memory.remembered': false,
      'consent-memory.remembered-for-fewer': false,
    },
  };
  const run = new CollectedRun();
  const plan = { target: { file: 'conformance.config.json' }, profile: '', defects: [] } as const;
  const lane = await openLane(plan, CHECKS_IN_ORDER, run, {
    open: () => emulatorAsLiveTarget(asking, defects),
    keepEvidence: false,
    connectTo: async (target, secrets) => ({
      session: connectWithoutBrowser(target, secrets),
      close: async () => undefined,
    }),
  });
  for (const check of CHECKS_IN_ORDER) await lane.run(check);
  await lane.close();
  const ids = run.outcomes.map(({ result }) => result.id as RequirementId);
  const { requirements, troubles } = evaluated(loadCatalogue(), ids, run);
  const outcomes = run.outcomes.map((outcome) => ({
    ...outcome,
    result: requirements.find(({ id }) => id === outcome.result.id) ?? outcome.result,
  }));
  return { outcomes: outcomes.map(withoutTimes), troubles };
}

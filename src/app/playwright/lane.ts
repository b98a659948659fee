import { resolve } from 'node:path';
import type { RequirementId } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { CollectedRun } from '../../checks/run/collected-run.ts';
import { type Lane, openLane } from '../../checks/run/lane.ts';
import { withOwnBrowser } from '../../checks/run/with-browser.ts';
import { CHECKS } from '../../conformance/index.ts';
import { CHECK_DEADLINE_MS } from '../check.ts';
import { evaluated } from '../compose.ts';
import { requireBrowser } from '../prepare.ts';
import { lateError } from './shards.ts';

export interface TestedTarget {
  readonly live: boolean;
  readonly deadlineMs: number;
  readonly lane: (use: (lane: WorkerLane) => Promise<void>) => Promise<void>;
}

export interface WorkerLane extends Lane {
  readonly collected: CollectedRun;
}

export function testedTarget(target: string): TestedTarget {
  const live = target !== 'emulator';
  const deadlineMs = CHECK_DEADLINE_MS[live ? 'live' : 'emulator'];
  return { live, deadlineMs, lane: (use) => withLane(live ? target : undefined, deadlineMs, use) };
}

async function withLane(
  file: string | undefined,
  checkDeadlineMs: number,
  use: (lane: WorkerLane) => Promise<void>,
): Promise<void> {
  const connectTo = withOwnBrowser((await requireBrowser(false)).executablePath);
  const run = new CollectedRun();
  const target = file === undefined ? 'emulator' : { file: resolve(file) };
  const plan = { target, profile: 'doorkeeper-5', defects: [] } as const;
  const lane = await openLane(plan, CHECKS, run, { connectTo, checkDeadlineMs });
  await use({ ...lane, collected: run });
  const outcomes = new Map(run.outcomes.map(({ result }) => [result.id, result.result]));
  await lane.close();
  const ids = run.outcomes.map(({ result }) => result.id as RequirementId);
  const { requirements, troubles } = evaluated(loadCatalogue(), ids, run);
  // Other exchanges, and the clean-up, may show a requirement broken after its test has ended. On a live target an unevaluated
  // test has not failed yet.
  const changed = requirements.filter(
    ({ id, result }) =>
      (result !== outcomes.get(id) && result !== 'warning') ||
      (file !== undefined && (result === 'blocked' || result === 'not-run')),
  );
  if (changed.length === 0 && troubles.length === 0) return;
  const { message } = lateError({ results: changed, troubles });
  throw new Error(run.secrets.redact(message));
}

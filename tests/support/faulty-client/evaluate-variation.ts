import type { ClientRequirementId } from '../../../generated/ids.ts';
import { Ports } from '../../../src/client-checks/drive/ports.ts';
import {
  type EvaluatedRequirement,
  evaluateClient,
} from '../../../src/client-checks/evaluate/evaluate-client.ts';
import {
  CLIENT,
  runSituations,
  type SituationRun,
} from '../../../src/client-checks/situations/run-situations.ts';
import { SITUATIONS } from '../../../src/client-checks/situations/situations.ts';
import { loadClientCatalogue } from '../../../src/document/load-client-requirements.ts';
import { Application } from './application.ts';
import type { VariationId } from './faults.ts';

export interface EvaluatedVariation {
  /** Sorted. */
  readonly broken: readonly ClientRequirementId[];
  readonly evaluated: readonly EvaluatedRequirement[];
  readonly missing: readonly string[];
  readonly gaps: readonly string[];
  readonly accepted: readonly string[];
}

/** Seconds of `Retry-After`: dates have no smaller unit. */
const RETRY_AFTER = 1;

/** Hours behind UTC in the situation of time zones. */
const WEST_HOURS = 8;

/** Leads a variation through every situation, or some, in-process, and evaluates it. */
export async function evaluateVariation(
  variation: VariationId,
  run: Partial<Pick<SituationRun, 'situations' | 'expiresIn' | 'realTime' | 'answers'>> = {},
): Promise<EvaluatedVariation> {
  const ports = new Ports();
  const { episodes, accepted } = await runSituations({
    freshClient: async (situation) =>
      new Application(variation, situation === 'expiry-time-zone' ? WEST_HOURS : 0),
    situations: SITUATIONS,
    ports,
    journalLimit: 200_000,
    profile: undefined,
    lanes: 8,
    retryAfterSeconds: RETRY_AFTER,
    heldMs: 400,
    realTime: false,
    ...run,
  });
  ports.close();
  const settings = {
    ...CLIENT,
    retryAfterSeconds: RETRY_AFTER,
    expiresIn: run.expiresIn ?? 7_200,
  };
  const { evaluated, missing } = evaluateClient(loadClientCatalogue(), episodes, settings);
  return {
    broken: evaluated.flatMap(({ id, evaluation }) => (evaluation.kind === 'broken' ? [id] : [])).toSorted(),
    evaluated,
    missing,
    accepted,
    gaps: episodes.flatMap(({ situation, gap }) =>
      gap === undefined ? [] : [`${situation}: ${gap.reason}`],
    ),
  };
}

import { Ports } from '../../../src/client-checks/drive/ports.ts';
import { runSituations, type SituationRun } from '../../../src/client-checks/situations/run-situations.ts';
import { SITUATION_IDS } from '../../../src/client-checks/situations/situations.ts';
import { type EvaluatedEpisodes, evaluateEpisodes, RETRY_AFTER } from '../evaluate-episodes.ts';
import { Application } from './application.ts';
import type { VariationId } from './faults.ts';

export interface EvaluatedVariation extends EvaluatedEpisodes {
  readonly gaps: readonly string[];
  readonly accepted: readonly string[];
}

/** Hours behind UTC in the situation of time zones. */
const WEST_HOURS = 8;

/** Leads a variation through every situation, or some, in-process, and evaluates it. */
export async function evaluateVariation(
  variation: VariationId | readonly VariationId[],
  run: Partial<Pick<SituationRun, 'situations' | 'expiresIn' | 'realTime' | 'answers' | 'freshClient'>> = {},
): Promise<EvaluatedVariation> {
  const ports = new Ports();
  const { episodes, accepted } = await runSituations({
    freshClient: async (situation) =>
      new Application(variation, situation === 'expiry-time-zone' ? WEST_HOURS : 0),
    situations: SITUATION_IDS,
    ports,
    journalLimit: 200_000,
    profile: undefined,
    workers: 8,
    retryAfterSeconds: RETRY_AFTER,
    heldMs: 400,
    realTime: false,
    ...run,
  });
  ports.close();
  return {
    ...evaluateEpisodes(episodes, { expiresIn: run.expiresIn ?? 7_200 }),
    accepted,
    gaps: episodes.flatMap(({ situation, gap }) =>
      gap === undefined ? [] : [`${situation}: ${gap.reason}`],
    ),
  };
}

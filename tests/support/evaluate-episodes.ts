import type { ClientRequirementId } from '../../generated/ids.ts';
import type { Episode } from '../../src/client-checks/evaluate/episode.ts';
import {
  type ClientEvaluation,
  evaluateRequirements,
} from '../../src/client-checks/evaluate/evaluate-requirements.ts';
import { lineText } from '../../src/client-checks/evaluate/line.ts';
import type { Evaluation, EvaluationSettings } from '../../src/client-checks/evaluate/rule.ts';
import { CLIENT } from '../../src/client-checks/situations/situation-producer.ts';
import { loadClientCatalogue } from '../../src/document/load-client-requirements.ts';

type ShownEvaluation =
  | Exclude<Evaluation, { kind: 'broken' }>
  | { readonly kind: 'broken'; readonly lines: readonly string[] };

export interface EvaluatedEpisodes extends ClientEvaluation {
  /** Sorted. */
  readonly broken: readonly ClientRequirementId[];
  /** With the lines of a breach as a report shows them. */
  of(id: ClientRequirementId): ShownEvaluation;
}

/** Seconds of `Retry-After`: dates have no smaller unit. */
export const RETRY_AFTER = 1;

const SETTINGS = { ...CLIENT, retryAfterSeconds: RETRY_AFTER, expiresIn: 7_200 };

export function evaluateEpisodes(
  episodes: readonly Episode[],
  settings: Partial<EvaluationSettings> = {},
): EvaluatedEpisodes {
  const evaluation = evaluateRequirements(loadClientCatalogue(), episodes, { ...SETTINGS, ...settings });
  const { evaluated } = evaluation;
  return {
    ...evaluation,
    broken: evaluated.flatMap(({ id, evaluation: { kind } }) => (kind === 'broken' ? [id] : [])).toSorted(),
    of(id) {
      const found = evaluated.find((one) => one.id === id);
      if (found === undefined) throw new Error(`nothing evaluated ${id}`);
      const { evaluation } = found;
      return evaluation.kind === 'broken'
        ? { ...evaluation, lines: evaluation.lines.map(lineText) }
        : evaluation;
    },
  };
}

import type { RequirementResult, ResultKind } from './results.ts';
import { rootOfBlock } from './verdict.ts';

/** Results that share one cause. */
export interface CauseGroup {
  /** The requirement that blocks them, or the reason that they have in common. */
  readonly cause: string;
  readonly results: readonly RequirementResult[];
}

/** All results of one kind, in the catalogue's order. */
export function ofKind(
  results: readonly RequirementResult[],
  kind: ResultKind,
): readonly RequirementResult[] {
  return results.filter(({ result }) => result === kind);
}

/**
 * Blocked results by the requirement at the start of their chain: forty lines that all follow from one refused
 * exchange say less than one line that names it.
 */
export function blockedByRoot(results: readonly RequirementResult[]): readonly CauseGroup[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const cause = (blocked: RequirementResult) =>
    rootOfBlock(blocked.id, byId)?.id ?? blocked.blockedBy ?? blocked.reason;
  return grouped(ofKind(results, 'blocked'), cause);
}

/** Results of one kind by the reason that they give. */
export function byReason(
  results: readonly RequirementResult[],
  kind: 'not-run' | 'not-applicable',
): readonly CauseGroup[] {
  return grouped(ofKind(results, kind), ({ reason }) => reason);
}

function grouped(
  results: readonly RequirementResult[],
  causeOf: (result: RequirementResult) => string,
): readonly CauseGroup[] {
  return [...Map.groupBy(results, causeOf)].map(([cause, members]) => ({ cause, results: members }));
}

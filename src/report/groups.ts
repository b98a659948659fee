import type { RequirementResult, ResultKind } from './results.ts';
import { rootOfBlock } from './verdict.ts';

export interface CauseGroup {
  readonly cause: string;
  readonly results: readonly RequirementResult[];
}

export function ofKind(
  results: readonly RequirementResult[],
  kind: ResultKind,
): readonly RequirementResult[] {
  return results.filter(({ result }) => result === kind);
}

/** Groups blocked results by the first requirement of their chain, because one cause explains more than forty results. */
export function blockedByRoot(results: readonly RequirementResult[]): readonly CauseGroup[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const cause = (blocked: RequirementResult) =>
    rootOfBlock(blocked.id, byId)?.id ?? blocked.blockedBy ?? blocked.reason;
  return grouped(ofKind(results, 'blocked'), cause);
}

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

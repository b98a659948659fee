import type { RequirementId } from '../../../generated/ids.ts';
import type { RowOutcome } from './run-checks.ts';

/** A requirement that came out otherwise than it should, and what it came out as. */
export interface Deviation {
  readonly id: RequirementId;
  readonly came: string;
}

/** A check that failed as it should. */
export interface Kill {
  readonly id: RequirementId;
  readonly result: 'fail' | 'warning';
  readonly reason: string;
  /** Its own check passed: other exchanges of the run showed it. */
  readonly byMonitor?: true;
}

/** What the checks made of one defect, beside what it says that it breaks. */
export interface RowVerdict {
  /** Requirements that it breaks and whose check failed, with the reason that was given. */
  readonly killed: readonly Kill[];
  /** Requirements that it breaks and whose check did not fail. */
  readonly misses: readonly Deviation[];
  /** Requirements that left `pass` without being broken by it, nor blocked behind one that is. */
  readonly extras: readonly Deviation[];
  /** Requirements that could not be judged, because of a step that a broken one owns. */
  readonly blocked: readonly { readonly id: RequirementId; readonly behind: RequirementId }[];
  /** Checks that did not run to an end, or did not work: they prove nothing. */
  readonly errors: readonly Deviation[];
}

/**
 * Compares the outcomes of one row with what its defect breaks.
 *
 * @param breaks the requirements whose own check must come out as `fail` or `warning`
 * @param exempt requirements that do not pass on the base profile either, and prove nothing here
 */
export function judgeRow(
  outcomes: readonly RowOutcome[],
  breaks: readonly RequirementId[],
  exempt: ReadonlySet<RequirementId> = new Set(),
): RowVerdict {
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const broken = new Set(breaks);
  const considered = outcomes.filter(({ id }) => broken.has(id) || !exempt.has(id));
  const endsInBroken = (outcome: RowOutcome) => endOfChain(outcome, byId, broken);
  const errors = considered.filter(
    (o) =>
      o.broken !== undefined || o.result === 'not-run' || (isFailure(o) && !MATCHERS_REASON.test(o.reason)),
  );
  const sound = considered.filter((o) => !errors.includes(o));
  const failed = sound.filter(isFailure);
  const absent = breaks.filter((id) => !byId.has(id)).map((id) => ({ id, came: 'no check of that id ran' }));
  return {
    killed: failed
      .filter((o) => broken.has(o.id))
      .map(({ id, result, reason, byMonitor }) => ({ id, result, reason, ...(byMonitor && { byMonitor }) })),
    misses: [...sound.filter((o) => broken.has(o.id) && !isFailure(o)).map(deviation), ...absent],
    extras: sound.filter((o) => !broken.has(o.id) && o.result !== 'pass' && !endsInBroken(o)).map(deviation),
    blocked: sound
      .filter((o) => !broken.has(o.id) && o.result === 'blocked' && endsInBroken(o))
      .map((o) => ({ id: o.id, behind: o.blockedBy ?? o.id })),
    errors: errors.map(deviation),
  };
}

function isFailure(outcome: RowOutcome): outcome is RowOutcome & { readonly result: Kill['result'] } {
  return outcome.result === 'fail' || outcome.result === 'warning';
}

/** What a matcher says: a timeout, or any other trouble, reads otherwise and is no kill. */
const MATCHERS_REASON = /^clause [\d.]+: expected .+; got ./s;

/** Whether a `blocked` leads, step by step, to a requirement that the defect breaks. */
function endOfChain(
  outcome: RowOutcome,
  byId: ReadonlyMap<RequirementId, RowOutcome>,
  broken: ReadonlySet<RequirementId>,
): boolean {
  const seen = new Set<RequirementId>();
  let at: RowOutcome | undefined = outcome;
  while (at?.result === 'blocked' && at.blockedBy !== undefined && !seen.has(at.id)) {
    seen.add(at.id);
    if (broken.has(at.blockedBy)) return true;
    at = byId.get(at.blockedBy);
  }
  return false;
}

function deviation({ id, result, reason, broken }: RowOutcome): Deviation {
  const why = broken?.split('\n')[0] ?? reason;
  return { id, came: why === '' ? result : `${result}: ${why}` };
}

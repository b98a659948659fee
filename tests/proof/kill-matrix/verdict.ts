import type { RequirementId } from '../../../generated/ids.ts';
import type { ProvenDefect } from '../second-order/define-second-order.ts';
import { HIDDEN_ON_LIVE, type HiddenOnLive } from './hidden-on-live.ts';
import type { RowRun } from './row.ts';
import type { RowOutcome } from './run-checks.ts';

/** One defect with what the checks made of it. */
export interface MatrixRow extends RowVerdict {
  readonly facts: ProvenDefect;
  /** Results of the failed checks in a real browser; absent if they did not run there. */
  readonly inBrowser?: readonly RowOutcome[];
  /** Everything that is not as it should be, one sentence each. Empty: the defect is killed, exactly. */
  readonly problems: readonly string[];
  /** The rules of the fold without which a result of the row would be another. */
  readonly rules: readonly string[];
  readonly durationMs: number;
}

/** One row's verdict with its problems in words. */
export function evaluateRun(
  facts: ProvenDefect,
  run: RowRun,
  exempt: ReadonlySet<RequirementId> = new Set(),
): MatrixRow {
  const verdict = evaluateRow(run.outcomes, facts.breaks, exempt);
  const failure = run.failure?.split('\n')[0];
  return {
    facts,
    ...verdict,
    ...(run.inBrowser && { inBrowser: run.inBrowser }),
    problems:
      failure === undefined
        ? [...wording(verdict), ...elsewhereProblems(run)]
        : [`it could not be run: ${failure}`],
    rules: [...new Set(run.outcomes.flatMap(({ rules = [] }) => rules))],
    durationMs: run.durationMs,
  };
}

function wording({ misses, extras, errors }: RowVerdict): readonly string[] {
  return [
    ...misses.map(({ id, actual }) => `missed: ${id} should fail, got ${actual}`),
    ...extras.map(({ id, actual }) => `extra: ${id} is not among what it breaks, got ${actual}`),
    ...errors.map(({ id, actual }) => `error: ${id} proves nothing, got ${actual}`),
  ];
}

/** A check must find the same by itself, and on the product's own path. */
function elsewhereProblems({ outcomes, alone, inBrowser = [] }: RowRun): readonly string[] {
  const differing = (where: string, others: readonly RowOutcome[]) =>
    others.flatMap((o) => {
      const together = outcomes.find(({ id }) => id === o.id)?.result;
      if (o.result === together) return [];
      return [
        `${where} ${o.id} came out as ${o.result}, among all checks as ${together}: ${o.broken ?? o.reason}`,
      ];
    });
  return [...differing('by itself', alone), ...differing('in the browser', inBrowser)];
}

/**
 * One row of the matrix on a live target, beside what its defect breaks and what a listed reason changes of that.
 *
 * @param list of listed reasons, by defect
 */
export function evaluateLiveRun(
  facts: ProvenDefect,
  run: RowRun,
  exempt: ReadonlySet<RequirementId>,
  list: Readonly<Record<string, HiddenOnLive>> = HIDDEN_ON_LIVE,
): MatrixRow {
  const known = list[facts.id];
  if (known === undefined) return evaluateRun(facts, run, exempt);
  if (!('stopsTheRun' in known)) {
    const breaks = [...facts.breaks.filter((id) => !known.hidden.includes(id)), ...known.instead];
    return { ...evaluateRun({ ...facts, breaks }, run, exempt), facts };
  }
  const row = evaluateRun(facts, run, exempt);
  return { ...row, problems: run.failure === undefined ? stopProblems(run, known.instead) : row.problems };
}

/** A run that should have come to nothing found something, or said nothing. */
function stopProblems(
  { outcomes, troubles = [] }: RowRun,
  instead: readonly RequirementId[] = [],
): readonly string[] {
  const failed = outcomes.filter(({ id, result }) => result === 'fail' && !instead.includes(id));
  return [
    ...failed.map(
      ({ id }) =>
        `no longer hidden: ${id} failed; take this defect out of tests/proof/kill-matrix/hidden-on-live.ts`,
    ),
    ...(troubles.length === 0 ? ['hidden, and the run says nothing of it'] : []),
  ];
}

/** Defects of the list that are none. */
export function strangersListed(ids: readonly string[], list = HIDDEN_ON_LIVE): readonly string[] {
  return Object.keys(list).filter((id) => !ids.includes(id));
}

/** A requirement that came out otherwise than it should, and what it came out as. */
interface Deviation {
  readonly id: RequirementId;
  readonly actual: string;
}

/** A check that failed as it should. */
interface Kill {
  readonly id: RequirementId;
  readonly result: 'fail' | 'warning';
  readonly reason: string;
  /** Its own check passed: other exchanges of the run showed it. */
  readonly byMonitor?: true;
}

/** The checks' results for one defect, and the requirements that it lists. */
export interface RowVerdict {
  /** Requirements that it breaks and whose check failed, with the reason that was given. */
  readonly killed: readonly Kill[];
  /** Requirements that it breaks and whose check did not fail. */
  readonly misses: readonly Deviation[];
  /** Requirements that left `pass` without being broken by it, nor blocked behind one that is. */
  readonly extras: readonly Deviation[];
  /** Requirements that could not be evaluated, because of a step that a broken one owns. */
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
export function evaluateRow(
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
  const absent = breaks
    .filter((id) => !byId.has(id))
    .map((id) => ({ id, actual: 'no check of that id ran' }));
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

/** The words of a matcher: a timeout, or any other trouble, reads otherwise and is no kill. */
const MATCHERS_REASON = /^expected .+; got ./s;

/** True if a `blocked` leads, step by step, to a requirement that the defect breaks. */
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
  return { id, actual: why === '' ? result : `${result}: ${why}` };
}

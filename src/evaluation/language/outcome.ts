import type { AbilityId, RequirementId } from '../../../generated/ids.ts';
import { isSilence, type WireResponse } from '../../http/exchange.ts';
import type { RunCause } from '../../report/results.ts';
import { setOf, unreadableList } from '../../service/flow/assigned-list.ts';
import type { Stopped } from '../../service/flow/flow-steps.ts';
import type { StepId } from '../../service/flow/smoke-steps.ts';
import { findingText } from '../../service/target.ts';

/** The target breaks the requirement. Only matchers throw it, and only it becomes `fail` or `warning`. */
export class ConformanceFailure extends Error {
  readonly expected: string;
  readonly got: string;
  readonly answer: WireResponse | undefined;

  /**
   * @param got the target's behaviour, without values that change from run to run
   * @param answer the answer that shows it; if absent, the last one of the check does
   */
  constructor(expected: string, got: string, answer?: WireResponse) {
    super(`expected ${expected}; got ${got}`);
    this.expected = expected;
    this.got = got;
    this.answer = answer;
  }
}

/** Rests on tokens, a list or an effect that came: no outage hands them out, whatever happens afterwards. */
export class ProvenFailure extends ConformanceFailure {}

export class Blocked extends Error {
  readonly owner: RequirementId;
  /** Sufficient proof against the owner: the target acknowledged the step without doing it. */
  readonly seen: ConformanceFailure | undefined;

  /** @param seen proof that the owner's requirement is broken; absent if a refusal may have another cause */
  constructor(step: string, owner: RequirementId, why: string, seen?: ConformanceFailure) {
    super(`could not ${step} (${owner}): ${why}`);
    this.owner = owner;
    this.seen = seen;
  }
}

export class NotRun extends Error {
  override readonly cause: RunCause | undefined;

  constructor(why: string, cause?: RunCause) {
    super(why);
    this.cause = cause;
  }
}

/** Returns the end of a check that got no answer. @param cause what a step or a page says of it */
export function notAnswered(why: string, cause: unknown): NotRun {
  return new NotRun(why, isSilence(cause) ? 'unreachable' : undefined);
}

/** By step, the answer whose wrong content proves the owner broken. */
const WANTED: Partial<Record<StepId, string>> = {
  exchange: 'a token response with both tokens',
  list: 'a list',
};

export function withoutPrerequisite({ step, status, owner, message, clues }: Stopped): Blocked | NotRun {
  if (status === 'no-answer') return notAnswered(`${step}: ${message}`, clues.cause);
  const wanted = status === 'wrong' ? WANTED[step] : undefined;
  const seen = wanted === undefined ? undefined : new ConformanceFailure(wanted, message);
  return new Blocked(step, owner, message, seen);
}

/** Returns the end of a check that cannot read a list. */
export function unreadableListEnd(response: WireResponse): NotRun {
  const { observed, remedy } = unreadableList(response);
  return new NotRun(`${observed}: ${remedy}`);
}

export function misconfiguredEnd(observed: string, remedy: string): NotRun {
  return new NotRun(findingText({ observed, remedy }));
}

export class NotApplicable extends Error {
  readonly ability: AbilityId;

  constructor(ability: AbilityId, why?: string) {
    super(`needs ${ability}${why === undefined ? '' : `: ${why}`}`);
    this.ability = ability;
  }
}

export function requireAbility<T>(ability: AbilityId, value: T | undefined): T {
  if (value === undefined) throw new NotApplicable(ability);
  return value;
}

export function noEffect(operation: 'assign' | 'unassign'): ConformanceFailure {
  const [wanted, got] = operation === 'assign' ? ['to hold', 'without'] : ['not to hold', 'with'];
  return new ConformanceFailure(`the list ${wanted} the user after ${operation}`, `a list ${got} the user`);
}

export function shownLate(operation: 'assign' | 'unassign'): ConformanceFailure {
  return new ConformanceFailure(`a list read after ${operation} to show it`, 'the list as it was before');
}

/** Returns the requirement to blame for users who were assigned and are not listed; undefined if all are listed. */
export function ownerOfAbsence(
  listed: readonly string[],
  before: readonly string[],
  own: readonly string[],
): RequirementId | undefined {
  if ([...before, ...own].every((user) => setOf(listed).has(user))) return undefined;
  if (!own.some((user) => listed.includes(user))) return 'assign.adds-user';
  // The last user is listed: assigning that one has removed another.
  return listed.includes(own.at(-1) ?? '') ? 'assign.leaves-others' : 'list.returns-assigned';
}

import type { AbilityId, RequirementId } from '../../../generated/ids.ts';
import { findingText } from '../../target/flow/settings/finding.ts';

/** The target breaks the requirement. Only matchers throw it, and only it becomes `fail` or `warning`. */
export class ConformanceFailure extends Error {
  readonly expected: string;
  readonly got: string;

  /**
   * @param expected the demand of the requirement
   * @param got the target's behaviour, without values that change from run to run
   */
  constructor(expected: string, got: string) {
    super(`expected ${expected}; got ${got}`);
    this.name = 'ConformanceFailure';
    this.expected = expected;
    this.got = got;
  }
}

export class Blocked extends Error {
  readonly owner: RequirementId;
  /**
   * The observed failure of the owner's requirement, if the target acknowledged the step without doing it; this is
   * sufficient proof.
   */
  readonly seen: ConformanceFailure | undefined;

  /**
   * @param step the step that failed, in a few words
   *
   * @param seen proof that the owner's requirement is broken; absent if a refusal may have another cause
   */
  constructor(step: string, owner: RequirementId, why: string, seen?: ConformanceFailure) {
    super(`could not ${step} (${owner}): ${why}`);
    this.name = 'Blocked';
    this.owner = owner;
    this.seen = seen;
  }
}

export class NotRun extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotRun';
  }
}

export function misconfigured(observed: string, remedy: string): NotRun {
  return new NotRun(findingText({ observed, remedy }));
}

export class NotApplicable extends Error {
  readonly ability: AbilityId;

  constructor(ability: AbilityId, why?: string) {
    super(`needs ${ability}${why === undefined ? '' : `: ${why}`}`);
    this.name = 'NotApplicable';
    this.ability = ability;
  }
}

export function needed<T>(ability: AbilityId, value: T | undefined): T {
  if (value === undefined) throw new NotApplicable(ability);
  return value;
}

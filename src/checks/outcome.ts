import type { AbilityId, RequirementId } from '../../generated/ids.ts';

/** The target breaks the requirement: thrown by matchers only, and the only thing that becomes `fail` or `warning`. */
export class ConformanceFailure extends Error {
  readonly expected: string;
  readonly got: string;

  /**
   * @param expected what the requirement demands here
   * @param got what the target did, without values that change from run to run
   */
  constructor(expected: string, got: string) {
    super(`expected ${expected}; got ${got}`);
    this.name = 'ConformanceFailure';
    this.expected = expected;
    this.got = got;
  }
}

/** What the check needs and is not about could not be had: another requirement is broken there. */
export class Blocked extends Error {
  readonly owner: RequirementId;
  /** What was seen of the owner's requirement, where the target has acknowledged and not done it: proof by itself. */
  readonly seen: ConformanceFailure | undefined;

  /**
   * @param step what could not be done, in a few words
   * @param owner the requirement that owns the step
   * @param seen how the owner's requirement was seen broken; absent where a refusal may have another cause
   */
  constructor(step: string, owner: RequirementId, why: string, seen?: ConformanceFailure) {
    super(`could not ${step} (${owner}): ${why}`);
    this.name = 'Blocked';
    this.owner = owner;
    this.seen = seen;
  }
}

/** Nothing can be said: no answer, throttled, or an outage. */
export class NotRun extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotRun';
  }
}

/** The target turned out not to have an ability that the check needs. */
export class NotApplicable extends Error {
  readonly ability: AbilityId;

  constructor(ability: AbilityId, reason: string) {
    super(reason);
    this.name = 'NotApplicable';
    this.ability = ability;
  }
}

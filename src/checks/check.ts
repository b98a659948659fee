import type { RequirementId } from '../../generated/ids.ts';
import type { CheckContext } from './context.ts';
import type { Moment } from './lifetime.ts';

/** A check that needs no time to pass. */
export interface PlainCheck {
  readonly id: RequirementId;
  /** Provokes refusals, replays or reuse: on a live target such checks run last. */
  readonly provokes: boolean;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** One moment of a check that needs time: seconds after its beginning, and what is done then. */
export interface TimedStage<S> {
  readonly at: Moment;
  readonly run: (context: CheckContext, state: S) => Promise<S>;
}

/** A check that needs time to pass on the target's clock. All such checks of a live run share one wait. */
export interface TimedCheck {
  readonly id: RequirementId;
  readonly provokes: boolean;
  readonly begin: (context: CheckContext) => Promise<unknown>;
  /** In the order of their moments. */
  readonly stages: readonly TimedStage<unknown>[];
}

/** The executable test of exactly one requirement: a plain value, run by the test runner and by the kill matrix alike. */
export type Check = PlainCheck | TimedCheck;

/** Whether a check needs time to pass. */
export function isTimed(check: Check): check is TimedCheck {
  return 'stages' in check;
}

/**
 * A check of one requirement. Arrange with `given`, act, and let a matcher judge.
 *
 * @param id the requirement; anything else does not compile
 */
export function check(id: RequirementId, run: PlainCheck['run']): PlainCheck {
  return { id, provokes: false, run };
}

/** Like {@link check}, for a check that provokes refusals or replays. */
export function provokingCheck(id: RequirementId, run: PlainCheck['run']): PlainCheck {
  return { id, provokes: true, run };
}

/** A timed check that is still being written down: {@link after} adds moments. */
export interface TimedCheckBuilder<S> extends TimedCheck {
  /** What happens at a moment after the beginning; it returns what the next moment needs. */
  after(at: Moment, run: TimedStage<S>['run']): TimedCheckBuilder<S>;
}

/**
 * A check that lets time pass on the target's clock.
 *
 * @param begin arranges at second 0 and returns what the later moments need
 */
export function timedCheck<S>(
  id: RequirementId,
  begin: (context: CheckContext) => Promise<S>,
): TimedCheckBuilder<S> {
  return withStages(id, begin, []);
}

function withStages<S>(
  id: RequirementId,
  begin: (context: CheckContext) => Promise<S>,
  stages: readonly TimedStage<S>[],
): TimedCheckBuilder<S> {
  return {
    id,
    provokes: true,
    begin,
    stages: stages as readonly TimedStage<unknown>[],
    after: (at, run) => withStages(id, begin, [...stages, { at, run }]),
  };
}

import type { RequirementId } from '../../../generated/ids.ts';
import type { Target } from '../../service/target.ts';
import type { CheckContext } from './context.ts';

export interface PlainCheck {
  readonly id: RequirementId;
  /** Set for checks that provoke refusals, replays or reuse; on a live target they run last. */
  readonly provokes: boolean;
  readonly run: (context: CheckContext) => Promise<void>;
}

interface TimedStage<S> {
  readonly at: Moment;
  readonly run: (context: CheckContext, state: S) => Promise<S>;
}

/** A check that needs time to pass on the target's clock. All such checks of a live run share one wait. */
export interface TimedCheck {
  readonly id: RequirementId;
  readonly provokes: boolean;
  readonly begin: (context: CheckContext) => Promise<unknown>;
  readonly stages: readonly TimedStage<unknown>[];
}

/** The executable test of exactly one requirement, run by both the test runner and the kill matrix. */
export type Check = PlainCheck | TimedCheck;

export function isTimed(check: Check): check is TimedCheck {
  return 'stages' in check;
}

export function check(id: RequirementId, run: PlainCheck['run']): PlainCheck {
  return { id, provokes: false, run };
}

export function provokingCheck(id: RequirementId, run: PlainCheck['run']): PlainCheck {
  return { id, provokes: true, run };
}

export interface TimedCheckBuilder<S> extends TimedCheck {
  after(at: Moment, run: TimedStage<S>['run']): TimedCheckBuilder<S>;
}

/** Builds a check that lets time pass on the target's clock. The result of `begin` is passed to the later moments. */
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

/** Seconds around a deadline that the checks ignore, because clocks differ and requests take time. */
export const SLACK = 10;

export type Moment = number | { readonly before: number } | { readonly past: number };

export function secondsOf(moment: Moment, skewSeconds: number): number {
  if (typeof moment === 'number') return moment;
  const slack = Math.max(SLACK, skewSeconds);
  return 'before' in moment ? moment.before - slack : moment.past + slack;
}

/** Seconds before and after the deadline that can be tested if the clock stands still between moves. */
export const LAST_SECOND = 1;
export const NEXT_SECONDS = 2;

/** True if the service's clock only moves on request and all its parts share one time. */
export function tellsSeconds({ clock, skewSeconds }: Target): boolean {
  return clock?.standsStill === true && skewSeconds === 0;
}

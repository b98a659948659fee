import type { Risk } from '../../catalogue/types.ts';
import type { TargetChoice } from '../../targets/open-target.ts';
import type { ExplorePlan } from './exploring.ts';

/** What one run of the checks is to do with which target. */
export interface RunPlan extends TargetChoice {
  /** A live target without a clock: the time that tokens live is really waited for, once for all checks. */
  readonly waitExpiry?: boolean;
  /** A live target: one walk of few requests, and only what can be evaluated by it. */
  readonly smoke?: boolean;
  /** The open points are observed too, at these risks. */
  readonly observe?: readonly Risk[];
  /** Random sequences are tried after the checks. */
  readonly explore?: ExplorePlan;
}

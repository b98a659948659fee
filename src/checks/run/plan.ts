import type { Risk } from '../../catalogue/types.ts';
import type { TargetChoice } from '../../targets/open-target.ts';
import type { ExplorePlan } from './exploring.ts';

export interface RunPlan extends TargetChoice {
  /** Waits in real time for tokens to expire on a live target without a clock, once for all checks. */
  readonly waitExpiry?: boolean;
  /** Limits a run on a live target to one base flow with few requests, and judges only its answers. */
  readonly smoke?: boolean;
  readonly observe?: readonly Risk[];
  readonly explore?: ExplorePlan;
}

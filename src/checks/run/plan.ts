import type { Risk } from '../../catalogue/types.ts';
import type { ReplayFile } from '../../explore/replay-file.ts';
import type { TargetChoice } from '../../targets/open-target.ts';

export interface ExplorePlan {
  readonly requests: number;
  /** The user did not set this number, so a smaller budget lowers it. */
  readonly asBudgetAllows?: true;
  readonly seed: number;
  readonly replays: readonly ReplayFile[];
  readonly refusals: boolean;
}

export interface RunPlan extends TargetChoice {
  /** Waits in real time for tokens to expire on a live target without a clock, once for all checks. */
  readonly waitExpiry?: boolean;
  /** Limits a run on a live target to one base flow with few requests, and judges only its answers. */
  readonly smoke?: boolean;
  readonly observe?: readonly Risk[];
  readonly explore?: ExplorePlan;
}

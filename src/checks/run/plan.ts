import type { Risk } from '../../catalogue/types.ts';

/** What one run of the conformance suite is to check. Handed from the command to the runner in the environment. */
export interface RunPlan {
  /** `emulator`, or the path of a configuration file of a live target. */
  readonly target: 'emulator' | { readonly file: string };
  readonly profile: string;
  readonly defects: readonly string[];
  /** Ids of the requirements to check; empty for all. */
  readonly only: readonly string[];
  /** A live target without a clock: the time that tokens live is really waited for, once for all checks. */
  readonly waitExpiry?: boolean;
  /** A live target: one walk of few requests, and only what can be judged by it. */
  readonly smoke?: boolean;
  /** The open points are observed too, at these risks. */
  readonly observe?: readonly Risk[];
  /** The browser's binary; without it the runner's own. */
  readonly executablePath?: string;
  /** Absolute path of the report's folder, for what is no text; absent when the runner was started by hand. */
  readonly report?: string;
  /** Where the command listens; absent when the runner was started by hand. */
  readonly channel?: string;
}

/** Name of the environment variable that holds a run's plan as JSON. */
export const RUN_PLAN = 'LEGACY_CONFORMANCE_RUN';

const BY_HAND: RunPlan = { target: 'emulator', profile: 'doorkeeper-5', defects: [], only: [] };

/** The plan of this run. Without one, as when the runner is started by hand: everything, against the emulator. */
export function runPlan(env: NodeJS.ProcessEnv = process.env): RunPlan {
  const text = env[RUN_PLAN];
  return text === undefined ? BY_HAND : { ...BY_HAND, ...(JSON.parse(text) as Partial<RunPlan>) };
}

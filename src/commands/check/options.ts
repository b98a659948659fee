import type { DefectId } from '../../../generated/defect-ids.d.ts';
import type { ClauseId, RequirementId } from '../../../generated/ids.ts';
import type { KindsOf } from '../../document/input/require-kinds.ts';
import type { Risk } from '../../document/types.ts';
import type { RequirementResult } from '../../report/results.ts';
import type { ExploreOptions } from '../explore/options.ts';
import type { ProfileName } from '../shared/options.ts';

type Before<Id, Mark extends string> = Id extends `${infer Head}${Mark}${string}` ? Head : never;

/** A requirement, a group of requirements (`exchange`), a clause (`4.2`), or a section of the document (`4`). */
type Selectable = RequirementId | Before<RequirementId, '.'> | ClauseId | Before<ClauseId, '.'>;

/** Options of a check. Defaults are those of the command line. */
export interface CheckOptions extends ExploreOptions {
  readonly profile?: ProfileName;
  /** The emulator's defects to switch on. */
  readonly defects?: readonly DefectId[];
  /** Requirements, groups and clauses to check. Default: everything. */
  readonly only?: readonly Selectable[];
  /** Count warnings as violations. */
  readonly strict?: boolean;
  /** On a live target without a clock: wait until tokens expire, 7200 seconds, once for all checks. */
  readonly waitExpiry?: boolean;
  /** On a live target: check only the answers of one flow with few requests. */
  readonly smoke?: boolean;
  /** Profile whose answers are binding where the document is silent. */
  readonly like?: ProfileName;
  /** With `like`: accepted risks on a live target. */
  readonly risks?: readonly Exclude<Risk, 'slow'>[];
  /** Number of emulators to check in parallel. Default: the number of cores. A live target has one. */
  readonly workers?: number;
  /** File of accepted deviations. Default: the one beside the configuration. */
  readonly knownDeviations?: string;
  /** Environment for the variables that a configuration names. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborting it ends the run: own users are unassigned, and the results name what did not run. */
  readonly signal?: AbortSignal;
  /**
   * Called with the number of requirements, the target's name and the requirements' ids, before anything is sent. An error that
   * it throws ends the check.
   */
  readonly onSelected?: (count: number, target: string, ids: readonly string[]) => void;
  /** Called with the provisional result of each check as it ends; the end of the run may change it. */
  readonly onProgress?: (result: RequirementResult) => void;
  /** Called once with each result, when the run has ended. */
  readonly onResult?: (result: RequirementResult) => void;
  /** Called now and then during the wait for tokens to expire. */
  readonly onWaiting?: (secondsLeft: number) => void;
}

/** The type of each option, for programs in plain JavaScript. */
export const CHECK_KINDS: KindsOf<CheckOptions> = {
  explore: 'number',
  seed: 'number',
  replay: 'string',
  profile: 'string',
  defects: 'object',
  only: 'object',
  strict: 'boolean',
  waitExpiry: 'boolean',
  smoke: 'boolean',
  like: 'string',
  risks: 'object',
  workers: 'number',
  knownDeviations: 'string',
  env: 'object',
  signal: 'object',
  onSelected: 'function',
  onProgress: 'function',
  onResult: 'function',
  onWaiting: 'function',
};

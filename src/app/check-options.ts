import type { RequirementResult } from '../report/results.ts';

/** Options of exploration. */
export interface ExploreOptions {
  /** Number of requests; 0 for none. Default: 1000 on the emulator, none on a live target. */
  readonly explore?: number;
  /** Seed of the sequences. Default: a random one. */
  readonly seed?: number;
  /** Folder of sequences to replay first. New findings are added to it. */
  readonly corpus?: string;
  /** File with the only sequence to replay. */
  readonly replay?: string;
}

/** Options of a check. Defaults are those of the command line. */
export interface CheckOptions extends ExploreOptions {
  /** The emulator's profile: an id, or the path of a file. */
  readonly profile?: string;
  /** Ids of the emulator's defects to switch on. */
  readonly defects?: readonly string[];
  /** Requirements, groups and clauses to check. Default: everything. */
  readonly only?: readonly string[];
  /** Count warnings as violations. */
  readonly strict?: boolean;
  /** On a live target without a clock: wait until tokens expire, 7200 seconds, once for all checks. */
  readonly waitExpiry?: boolean;
  /** On a live target: check only the answers of one flow with few requests. */
  readonly smoke?: boolean;
  /** Profile, by id or file, whose answers are binding where the document is silent. */
  readonly like?: string;
  /** With `like`: accepted risks on a live target: `refusals`, `revokes`, `slow`. */
  readonly risks?: readonly string[];
  /** With `like`, on a live target: use old refresh tokens again, as the risk `revokes` does. */
  readonly probeReuse?: boolean;
  /** Number of emulators to check in parallel. Default: the number of cores. A live target has one lane. */
  readonly lanes?: number;
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

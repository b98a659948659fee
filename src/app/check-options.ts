import type { RequirementResult } from '../report/results.ts';

/** What was asked about exploration. */
export interface ExploreOptions {
  /** How many requests; 0 for none. On the emulator 1000 when absent, on a live target none. */
  readonly explore?: number;
  /** Number that the sequences follow from; one of its own when absent. */
  readonly seed?: number;
  /** Folder of sequences that are done first; what is found is added. */
  readonly corpus?: string;
  /** File with a sequence to do again, and nothing else. */
  readonly replay?: string;
}

/** What a check may be told besides its target. Whatever is absent is as on the command line. */
export interface CheckOptions extends ExploreOptions {
  /** The emulator's profile: an id, or the path of a file. */
  readonly profile?: string;
  /** Ids of the emulator's defects to switch on. */
  readonly defects?: readonly string[];
  /** Requirements, groups and clauses to check; everything when empty. */
  readonly only?: readonly string[];
  /** Count warnings as violations. */
  readonly strict?: boolean;
  /** A live target without a clock: wait until tokens expire, 7200 seconds, once for all checks. */
  readonly waitExpiry?: boolean;
  /** A live target: check only what one walk of few requests shows. */
  readonly smoke?: boolean;
  /** Profile whose answers are binding where the document is silent, by id or file. */
  readonly like?: string;
  /** With `like`: what may be done to a live target: `refusals`, `revokes`, `slow`. */
  readonly risks?: readonly string[];
  /** With `like`, on a live target: use old refresh tokens again, as the risk `revokes` does. */
  readonly probeReuse?: boolean;
  /** How many emulators are checked side by side; as many as there are cores when absent. A live target has one lane. */
  readonly lanes?: number;
  /** File with deviations that are accepted; the one beside the configuration when absent. */
  readonly knownDeviations?: string;
  /** Where the variables are that a configuration names; those of the process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the run when it is aborted: own users are unassigned, and the results say what was not run. */
  readonly signal?: AbortSignal;
  /** Called with the number of requirements, the target's name and the requirements' ids, before anything is sent; what it throws ends the check. */
  readonly onSelected?: (count: number, target: string, ids: readonly string[]) => void;
  /** Called with the provisional result of each check as it ends; what the whole run shows may change it. */
  readonly onProgress?: (result: RequirementResult) => void;
  /** Called once with each result, when the run has ended. */
  readonly onResult?: (result: RequirementResult) => void;
  /** Called now and then while tokens are waited for to expire. */
  readonly onWaiting?: (secondsLeft: number) => void;
}

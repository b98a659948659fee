import { type OpenPointId, openPointIds, type RequirementId } from '../../generated/ids.ts';
import type { Catalogue, Risk } from '../catalogue/types.ts';
import { didYouMean, UsageError } from '../input/usage-error.ts';
import type { ObserveRequest } from '../observe/observe.ts';
import type { RequirementResult } from '../report/results.ts';

/** Options of exploration. */
export interface ExploreOptions {
  /** Number of requests; 0 for none. Default: 1000 on the emulator, none on a live target. */
  readonly explore?: number;
  /** Seed of the sequences. Default: a random one. */
  readonly seed?: number;
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
  /** With `like`: accepted risks on a live target: `refusals`, `revokes`. */
  readonly risks?: readonly string[];
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

export interface Selection {
  readonly ids: readonly RequirementId[];
  readonly partial: boolean;
}

export function select(catalogue: Catalogue, only: readonly string[], where = '--only'): Selection {
  const all = catalogue.clauses.flatMap((clause) => clause.requirements);
  if (only.length === 0) return { ids: all.map((r) => r.id), partial: false };
  const wanted = new Set<string>();
  for (const word of only) {
    const hits = all.filter((r) => r.id === word || r.id.split('.')[0] === word || inClause(r.clause, word));
    if (hits.length === 0) throw new UsageError(`${where}: ${explain(word, catalogue)}`);
    for (const hit of hits) wanted.add(hit.id);
  }
  const ids = all.map((r) => r.id).filter((id) => wanted.has(id));
  return { ids, partial: ids.length < all.length };
}

/** `4` matches 4.1, 4.2 and so on; `4.2` matches itself. */
function inClause(clause: string, word: string): boolean {
  return clause === word || clause.startsWith(`${word}.`);
}

function explain(word: string, catalogue: Catalogue): string {
  const ids: readonly string[] = catalogue.clauses.flatMap((clause) => clause.requirements.map((r) => r.id));
  const clauses = catalogue.clauses.filter((c) => c.requirements.length > 0).map((c) => c.clause);
  const known = [...ids, ...clauses, ...ids.map((id) => id.split('.')[0] ?? id)];
  return (
    `expected a requirement (exchange.code-single-use), a group (exchange) or a clause ` +
    `(${clauses.join(', ')}), got ${JSON.stringify(word)}.${didYouMean(word, known)}`
  );
}

const RISKS: readonly Risk[] = ['none', 'refusals', 'revokes', 'slow'];

export function risksFrom(
  option: string,
  words: readonly string[],
  emulator: boolean,
  known = RISKS,
): ReadonlySet<Risk> {
  refuseUnknown(option, words, known);
  return new Set(emulator && words.length === 0 ? known : ['none', ...(words as Risk[])]);
}

export function pointsFrom(option: string, words: readonly string[]): Pick<ObserveRequest, 'only'> {
  refuseUnknown(option, words, openPointIds);
  return words.length === 0 ? {} : { only: new Set(words as OpenPointId[]) };
}

function refuseUnknown(option: string, words: readonly string[], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return;
  throw new UsageError(
    `${option}: expected one of ${known.join(', ')}; got ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`,
  );
}

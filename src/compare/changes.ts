/**
 * What became of one thing between two documents. `broke` and `healed` are judgements, of requirements alone; `stopped`: it was looked
 * at and is not any more; `started`: the other way round.
 */
export type ChangeKind = 'broke' | 'stopped' | 'changed' | 'started' | 'healed';

/** How likely a client breaks on a change. */
export type Breaks = 'likely' | 'possible' | 'unlikely';

/** One difference between two documents. */
export interface Change {
  readonly kind: ChangeKind;
  /** What it is about: an aspect of an open point, or a requirement. */
  readonly what: string;
  /** The question or the statement behind it. */
  readonly about: string;
  readonly breaks: Breaks;
  /** What it was, and is; texts for people. */
  readonly before: string;
  readonly after: string;
}

/** What only one of two catalogues has. */
export interface CatalogueDifference {
  readonly new: readonly CatalogueEntry[];
  readonly gone: readonly CatalogueEntry[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** A requirement that only one of two catalogues has. */
export interface CatalogueEntry {
  readonly id: string;
  /** First version of the suite that has it, where that is known. */
  readonly since?: string;
  /** What it came to in the run that has it; text for people. */
  readonly came: string;
}

/** Two documents held against each other. */
export interface Comparison {
  readonly of: 'profiles' | 'results';
  /** What each document is, in a few words. */
  readonly before: string;
  readonly after: string;
  /** Likeliest to break a client first. */
  readonly changes: readonly Change[];
  /** Of results that two catalogues judged: the requirements that only one of them has. They are no changes of the target. */
  readonly catalogue?: CatalogueDifference;
  /** How many things both have and both agree on. */
  readonly same: number;
  /** What makes the two hard to compare: another suite, another catalogue, another target. */
  readonly notes: readonly string[];
}

const BREAKS: readonly Breaks[] = ['likely', 'possible', 'unlikely'];
const KINDS: readonly ChangeKind[] = ['broke', 'changed', 'stopped', 'started', 'healed'];

/** Changes, those first on which a client breaks likeliest; what got better comes last. */
export function sorted(changes: readonly Change[]): readonly Change[] {
  const rank = ({ kind, breaks }: Change) =>
    (kind === 'healed' || kind === 'started' ? 100 : 0) + BREAKS.indexOf(breaks) * 10 + KINDS.indexOf(kind);
  return changes
    .map((change, index) => ({ change, index }))
    .sort((one, other) => rank(one.change) - rank(other.change) || one.index - other.index)
    .map(({ change }) => change);
}

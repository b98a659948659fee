/**
 * What became of one thing between two documents. `broke` and `healed` are judgements, of requirements alone; `stopped`: it was looked
 * at and is not any more; `started`: the other way round.
 */
export type ChangeKind = 'broke' | 'stopped' | 'changed' | 'started' | 'healed';

export type Breaks = 'likely' | 'possible' | 'unlikely';

export interface Change {
  readonly kind: ChangeKind;
  readonly what: string;
  readonly about: string;
  readonly breaks: Breaks;
  readonly before: string;
  readonly after: string;
}

export interface CatalogueDifference {
  readonly new: readonly CatalogueEntry[];
  readonly gone: readonly CatalogueEntry[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

export interface CatalogueEntry {
  readonly id: string;
  readonly since?: string;
  readonly came: string;
}

export interface Comparison {
  readonly of: 'profiles' | 'results';
  readonly before: string;
  readonly after: string;
  readonly changes: readonly Change[];
  /** Requirements that only one of two catalogues has. They are no changes of the target. */
  readonly catalogue?: CatalogueDifference;
  readonly same: number;
  /** Another suite, another catalogue, another target: the two are hard to compare. */
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

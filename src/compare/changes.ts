/**
 * The change of one item between two documents. Only requirements have `broke` and `healed`; `stopped` and `started`
 * say whether it is still or newly evaluated.
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
  /** Requirements in only one of the two catalogues; not changes of the target. */
  readonly catalogue?: CatalogueDifference;
  readonly same: number;
  readonly notes: readonly string[];
}

const BREAKS: readonly Breaks[] = ['likely', 'possible', 'unlikely'];
const KINDS: readonly ChangeKind[] = ['broke', 'changed', 'stopped', 'started', 'healed'];

export function sorted(changes: readonly Change[]): readonly Change[] {
  const rank = ({ kind, breaks }: Change) =>
    (kind === 'healed' || kind === 'started' ? 100 : 0) + BREAKS.indexOf(breaks) * 10 + KINDS.indexOf(kind);
  return changes
    .map((change, index) => ({ change, index }))
    .sort((one, other) => rank(one.change) - rank(other.change) || one.index - other.index)
    .map(({ change }) => change);
}

import type { Listing } from '../listing.ts';
import { oneLine } from '../printable.ts';
import type { ResultKind } from '../results.ts';
import { conclude, EXIT, type ExitCode } from '../verdict.ts';

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

/** Requirements of a catalogue that the other lacks. */
type CatalogueEntries = readonly { readonly id: string; readonly result: string }[];

export interface Comparison {
  readonly of: 'profiles' | 'results';
  readonly before: string;
  readonly after: string;
  readonly changes: readonly Change[];
  /** Requirements in only one of the two catalogues; not changes of the target. */
  readonly catalogue?: { readonly new: CatalogueEntries; readonly gone: CatalogueEntries };
  readonly same: number;
  readonly notes: readonly string[];
}

/**
 * Compares two documents item by item.
 * @param compare returns undefined for an item that is left out
 */
export function compareEach<K extends string, V>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
  compare: (was: V | undefined, is: V | undefined, what: K) => Omit<Change, 'what'> | 'same' | undefined,
  items: Iterable<K> = new Set([...before.keys(), ...after.keys()]),
): Pick<Comparison, 'changes' | 'same'> {
  const all = [...items].map((what) => ({ what, found: compare(before.get(what), after.get(what), what) }));
  return {
    changes: all.flatMap(({ what, found }) => (typeof found === 'object' ? { what, ...found } : [])),
    same: all.filter(({ found }) => found === 'same').length,
  };
}

/** Returns the change of an item that only one of two documents may have. */
export function kindOfPresence(was: unknown, is: unknown): ChangeKind {
  if (is === undefined) return 'stopped';
  return was === undefined ? 'started' : 'changed';
}

/** Returns a note for each thing in which two documents differ. */
export function notesOn(
  ...things: readonly (readonly [what: string, old: string, now: string, and?: string])[]
): readonly string[] {
  return things
    .filter(([, old, now]) => old !== now)
    .map(([what, old, now, and = ' and ']) => `${what}: ${old}${and}${now}`);
}

const BREAKS: readonly Breaks[] = ['likely', 'possible', 'unlikely'];
const BETTER: ReadonlySet<ChangeKind> = new Set(['healed', 'started']);
const KINDS: readonly ChangeKind[] = ['broke', 'changed', 'stopped', 'started', 'healed'];

export function sortedChanges(changes: readonly Change[]): readonly Change[] {
  const rank = ({ kind, breaks }: Change) =>
    (BETTER.has(kind) ? 100 : 0) + BREAKS.indexOf(breaks) * 10 + KINDS.indexOf(kind);
  return changes.toSorted((one, other) => rank(one) - rank(other));
}

const CHANGE_WORD: Readonly<Record<ChangeKind, string>> = {
  broke: 'Broke',
  changed: 'Changed',
  stopped: 'Stopped being looked at',
  started: 'Looked at now',
  healed: 'Fixed',
};

function totalsText({ changes, same }: Comparison): string {
  const byKind = Map.groupBy(changes, ({ kind }) => kind);
  const parts = KINDS.flatMap((kind) => {
    const { length = 0 } = byKind.get(kind) ?? {};
    return length === 0 ? [] : [`${length} ${CHANGE_WORD[kind].toLowerCase()}`];
  });
  return `${parts.join(', ') || 'no difference'}; ${same} the same`;
}

function catalogueLines({ catalogue }: Comparison): readonly string[] {
  if (catalogue === undefined) return [];
  return [
    ...catalogue.new.map(({ id, result }) => `new requirement: ${id}: ${result}`),
    ...catalogue.gone.map(({ id, result }) => `requirement gone: ${id}, which was: ${result}`),
  ];
}

export function comparisonLines(comparison: Comparison): readonly string[] {
  return [
    ...catalogueLines(comparison),
    ...comparison.changes.map(
      ({ kind, what, before, after }) =>
        `${CHANGE_WORD[kind].toUpperCase()} ${what}: ${oneLine(before, 200)} -> ${oneLine(after, 200)}`,
    ),
  ];
}

const SIGN: Readonly<Record<ChangeKind, ResultKind>> = {
  broke: 'fail',
  changed: 'warning',
  stopped: 'not-run',
  started: 'not-exercised',
  healed: 'pass',
};

const LIKENESS: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.violates]: 'different',
  [EXIT.conforms]: 'alike',
};

export function comparisonListing(comparison: Comparison): Listing {
  const { before, after, changes, same, notes } = comparison;
  const violations = changes.map(({ what, kind }) => `${what} ${kind}`);
  const { exitCode } = conclude({ violations, evaluatedCount: same });
  return {
    subject: `${before} → ${after}`,
    verdict: LIKENESS[exitCode] ?? 'inconclusive',
    exitCode,
    totals: totalsText(comparison),
    remarks: [...notes.map((note) => `note: ${note}`), ...catalogueLines(comparison)],
    blocks: [
      {
        entries: changes.map((change) => ({
          sign: SIGN[change.kind],
          word: CHANGE_WORD[change.kind],
          name: change.what,
          aside: BETTER.has(change.kind) ? undefined : `a client breaks: ${change.breaks}`,
          lines: change.about === '' ? [] : [change.about],
          sides: [
            ['before', change.before],
            ['after', change.after],
          ],
        })),
      },
    ],
    foot: 'Changes that most likely break a client come first, improvements come last.',
  };
}

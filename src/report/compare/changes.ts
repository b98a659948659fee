import { markdownCode, markdownTable, markdownText, oneLine } from '../printable.ts';

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
  readonly result: string;
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

/** Compares item by item; undefined for an item that is left out. */
export function compareEach<T>(
  items: Iterable<T>,
  compare: (item: T) => Change | 'same' | undefined,
): Pick<Comparison, 'changes' | 'same'> {
  const all = [...items].map(compare);
  return {
    changes: all.filter((one) => typeof one === 'object'),
    same: all.filter((one) => one === 'same').length,
  };
}

/** Returns the change of an item that only one of two documents may have. */
export function kindOfPresence(was: unknown, is: unknown): ChangeKind {
  if (is === undefined) return 'stopped';
  return was === undefined ? 'started' : 'changed';
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

export const CHANGE_WORD: Readonly<Record<ChangeKind, string>> = {
  broke: 'Broke',
  changed: 'Changed',
  stopped: 'Stopped being looked at',
  started: 'Looked at now',
  healed: 'Fixed',
};

/** `12 changed, 1 no longer looked at; 120 the same`. */
export function totalsText({ changes, same }: Comparison): string {
  const parts = Object.entries(CHANGE_WORD).flatMap(([kind, word]) => {
    const number = changes.filter((change) => change.kind === kind).length;
    return number === 0 ? [] : [`${number} ${word.toLowerCase()}`];
  });
  return `${parts.join(', ') || 'no difference'}; ${same} the same`;
}

export function comparisonText(comparison: Comparison): string {
  const { before, after, changes, notes } = comparison;
  const lines = [`${oneLine(before)} -> ${oneLine(after)}: ${totalsText(comparison)}`];
  for (const note of notes) lines.push(`  note: ${oneLine(note)}`);
  lines.push(...catalogueLines(comparison).map((line) => `  ${oneLine(line, 600)}`));
  for (const change of changes) lines.push('', ...changeLines(change));
  return `${lines.join('\n')}\n`;
}

export function catalogueLines({ catalogue }: Comparison): readonly string[] {
  if (catalogue === undefined) return [];
  return [
    ...catalogue.new.map(
      ({ id, since, result }) =>
        `new requirement: ${id}${since === undefined ? '' : ` (since ${since})`}: ${result}`,
    ),
    ...catalogue.gone.map(({ id, result }) => `requirement gone: ${id}, which was: ${result}`),
    ...catalogue.renamed.map(({ from, to }) => `requirement renamed: ${from} is ${to}`),
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

/** Returns true for changes that break no client: a fixed fault, or a newly evaluated item. */
export function isBetter({ kind }: Change): boolean {
  return kind === 'healed' || kind === 'started';
}

function changeLines(change: Change): readonly string[] {
  const { kind, what, about, breaks, before, after } = change;
  return [
    `${CHANGE_WORD[kind].toUpperCase()} ${oneLine(what)}${isBetter(change) ? '' : ` (a client breaks: ${breaks})`}`,
    ...(about === '' ? [] : [`  ${oneLine(about)}`]),
    `  - ${oneLine(before, 600)}`,
    `  + ${oneLine(after, 600)}`,
  ];
}

export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after, changes, notes } = comparison;
  const blocks = [
    `## ${markdownText(before)} → ${markdownText(after)}`,
    `${markdownText(totalsText(comparison))}.`,
    ...list(notes),
    ...list(catalogueLines(comparison)),
    ...(changes.length === 0 ? [] : [table(changes)]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function list(items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${markdownText(item)}`).join('\n')];
}

function table(changes: readonly Change[]): string {
  return markdownTable(
    ['', 'what', 'a client breaks', 'before', 'after'],
    changes.map((change) => {
      const { kind, what, about, breaks, before, after } = change;
      return [
        CHANGE_WORD[kind].toLowerCase(),
        `${code(what)}${about === '' ? '' : `<br>${markdownText(about)}`}`,
        isBetter(change) ? '' : breaks,
        code(before),
        code(after),
      ];
    }),
  );
}

function code(value: string): string {
  return markdownCode(value, 300);
}

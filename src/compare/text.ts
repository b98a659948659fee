import { markdownCode, markdownTable, markdownText, oneLine } from '../report/printable.ts';
import type { Change, ChangeKind, Comparison } from './changes.ts';

export const CHANGE_WORD: Readonly<Record<ChangeKind, string>> = {
  broke: 'Broke',
  changed: 'Changed',
  stopped: 'Stopped being looked at',
  started: 'Looked at now',
  healed: 'Fixed',
};

/** `12 changed, 1 no longer looked at; 120 the same`. */
export function totalsText({ changes, same }: Comparison): string {
  const words: Readonly<Record<ChangeKind, string>> = {
    broke: 'broke',
    changed: 'changed',
    stopped: 'stopped being looked at',
    started: 'looked at now',
    healed: 'fixed',
  };
  const count = (kind: ChangeKind) => changes.filter((change) => change.kind === kind).length;
  const parts = (Object.keys(words) as ChangeKind[]).flatMap((kind) => {
    const number = count(kind);
    return number === 0 ? [] : [`${number} ${words[kind]}`];
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
      ({ id, since, came }) =>
        `new requirement: ${id}${since === undefined ? '' : ` (since ${since})`}: ${came}`,
    ),
    ...catalogue.gone.map(({ id, came }) => `requirement gone: ${id}, which was: ${came}`),
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

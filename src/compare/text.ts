import { oneLine } from '../report/printable.ts';
import type { Change, ChangeKind, Comparison } from './changes.ts';

const HEADINGS: Readonly<Record<ChangeKind, string>> = {
  broke: 'Broke',
  changed: 'Changed',
  stopped: 'Stopped being looked at',
  started: 'Looked at now',
  healed: 'Healed',
};

/** Which answers, in words: `12 changed, 1 no longer looked at; 120 the same`. */
export function totalsText({ changes, same }: Comparison): string {
  const words: Readonly<Record<ChangeKind, string>> = {
    broke: 'broke',
    changed: 'changed',
    stopped: 'stopped being looked at',
    started: 'looked at now',
    healed: 'healed',
  };
  const count = (kind: ChangeKind) => changes.filter((change) => change.kind === kind).length;
  const parts = (Object.keys(words) as ChangeKind[]).flatMap((kind) => {
    const number = count(kind);
    return number === 0 ? [] : [`${number} ${words[kind]}`];
  });
  return `${parts.join(', ') || 'no difference'}; ${same} the same`;
}

/** A comparison for a terminal or a build log. Ends in a line feed. */
export function comparisonText(comparison: Comparison): string {
  const { before, after, changes, notes } = comparison;
  const lines = [`${oneLine(before)} -> ${oneLine(after)}: ${totalsText(comparison)}`];
  for (const note of notes) lines.push(`  note: ${oneLine(note)}`);
  for (const change of changes) lines.push('', ...changeLines(change));
  return `${lines.join('\n')}\n`;
}

function changeLines({ kind, what, about, breaks, before, after }: Change): readonly string[] {
  const better = kind === 'healed' || kind === 'started';
  return [
    `${HEADINGS[kind].toUpperCase()} ${what}${better ? '' : ` (a client breaks: ${breaks})`}`,
    ...(about === '' ? [] : [`  ${oneLine(about)}`]),
    `  - ${oneLine(before, 600)}`,
    `  + ${oneLine(after, 600)}`,
  ];
}

/** A comparison as Markdown for a pull request; starts with a heading of level 2, ends in a line feed. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after, changes, notes } = comparison;
  const blocks = [
    `## ${cell(before)} → ${cell(after)}`,
    `${cell(totalsText(comparison))}.`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${cell(note)}`).join('\n')]),
    ...(changes.length === 0 ? [] : [table(changes)]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function table(changes: readonly Change[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['', 'what', 'a client breaks', 'before', 'after']),
    row(['---', '---', '---', '---', '---']),
    ...changes.map(({ kind, what, about, breaks, before, after }) => {
      const better = kind === 'healed' || kind === 'started';
      return row([
        HEADINGS[kind].toLowerCase(),
        `${code(what)}${about === '' ? '' : `<br>${cell(about)}`}`,
        better ? '' : breaks,
        code(before),
        code(after),
      ]);
    }),
  ].join('\n');
}

/** Text that a target may have written: no markup, no mentions, no line breaks. */
function cell(value: string): string {
  return oneLine(value, 400)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~@]/g, (c) => (c === '@' ? '&#64;' : `\\${c}`));
}

function code(value: string): string {
  return `\`${oneLine(value, 300).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

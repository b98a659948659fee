import { oneLine } from './printable.ts';

/** Text that a target may have written, in Markdown: no markup, no links, no mentions, no line breaks. */
export function markdownText(value: string): string {
  return oneLine(value, 400)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~@]/g, (c) => (c === '@' ? '&#64;' : `\\${c}`));
}

/** The same as code, at most `longest` characters of it; stands in tables too. */
export function markdownCode(value: string, longest: number): string {
  return `\`${oneLine(value, longest).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

/** A table of cells that are Markdown already; nothing when it has no rows. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

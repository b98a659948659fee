import { oneLine } from './printable.ts';

/** Escapes text of a target for Markdown: no markup, links, mentions or line breaks. */
export function markdownText(value: string): string {
  return oneLine(value, 400)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~@]/g, (c) => (c === '@' ? '&#64;' : `\\${c}`));
}

export function markdownCode(value: string, longest: number): string {
  return `\`${oneLine(value, longest).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

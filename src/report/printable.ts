/**
 * Invisible characters that a terminal, build log or editor interprets: controls (except line feed and tab), direction
 * marks and zero-width characters, line and paragraph separators, lone surrogates.
 */
const UNPRINTABLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[^\P{Cc}\n\t]/gu;

/** `##[`, `##vso[`, `##teamcity[`: build servers treat them as commands anywhere in a line. */
const COMMAND = /##(?=\w*\[)/g;

/** `::error`: a GitHub command at the start of a line, even after blanks. */
const LINE_COMMAND = /^([^\S\n]*):(?=:)/gm;

/**
 * Makes text safe for a terminal or build log: escapes unprintable characters as `\u001b` and breaks up build server
 * commands.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNPRINTABLE, escapedCharacter)
    .replace(COMMAND, '## ')
    .replace(LINE_COMMAND, '$1: ');
}

export function printableWithColours(text: string): string {
  const parts = text.split(/(\u001b\[[\d;]*m)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : printable(part))).join('');
}

/** Makes JSON safe to print without changing its value: escapes in JSON what {@link printable} would change. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, unitsEscaped).replace(COMMAND, '\\u0023#');
}

/** Makes XML or HTML safe to print: shows unprintable characters, and escapes build server commands in markup. */
export function printableMarkup(markup: string): string {
  return markup
    .replace(UNPRINTABLE, escapedCharacter)
    .replace(COMMAND, '&#35;#')
    .replace(LINE_COMMAND, '$1&#58;');
}

function escapedCharacter(c: string): string {
  return c.length === 1 ? unitsEscaped(c) : `\\u{${c.codePointAt(0)?.toString(16)}}`;
}

function unitsEscaped(c: string): string {
  return Array.from({ length: c.length }, (_, index) => {
    return `\\u${c.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}

export function oneLine(text: string, longest = 300): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest)}… (${line.length - longest} more)`;
}

/**
 * Prefixes each line with a marker. The marker is required: build servers run a line that starts with `::`, even when
 * indented.
 */
export function prefixedLines(text: string, marker: string): readonly string[] {
  return printable(text)
    .split('\n')
    .map((line) => `${marker} ${line}`.trimEnd());
}

/** Escapes text of a target for Markdown: no markup, links, mentions or line breaks. */
export function markdownText(value: string): string {
  return oneLine(value, 400)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~@]/g, (c) => (c === '@' ? '&#64;' : `\\${c}`));
}

export function markdownCode(value: string, longest: number): string {
  return `\`${oneLine(value, longest).replaceAll('`', "'")}\``;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export interface Xml {
  readonly xml: string;
}

/** Builds one element. The only place that escapes attribute values and text. @param children elements, or text */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  children: readonly (Xml | string)[] = [],
): Xml {
  const open = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
    .join('');
  if (children.length === 0) return { xml: `<${name}${open}/>` };
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : `\n${child.xml}`));
  const close = children.some((child) => typeof child !== 'string') ? '\n' : '';
  return { xml: `<${name}${open}>${inner.join('')}${close}</${name}>` };
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printableMarkup(root.xml)}\n`;
}

/** XML 1.0 cannot represent these even as references, so they appear as `\u0000`. */
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

function escaped(text: string): string {
  return text
    .replace(NOT_IN_XML, unitsEscaped)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

/** Escapes line breaks, which XML parsers turn into spaces in attributes. */
function attribute(text: string): string {
  return escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

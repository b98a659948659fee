/**
 * Characters that no reader sees and that a terminal, a build log or an editor acts on: controls (line feed and tab apart), formats
 * such as marks of the writing direction and blanks of no width, line and paragraph separators, lone surrogates.
 */
const UNPRINTABLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[^\P{Cc}\n\t]/gu;

/** `##[`, `##vso[`, `##teamcity[`: build servers take them for commands, wherever in a line they stand. */
const COMMAND = /##(?=\w*\[)/g;

/** `::error`: a command of GitHub's, at the beginning of a line, blanks apart. */
const LINE_COMMAND = /^([^\S\n]*):(?=:)/gm;

/**
 * A text that is safe to print on a terminal or in a build log: unprintable characters spelled out as `\u001b`, and whatever build servers
 * take for a command broken up.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNPRINTABLE, escapedCharacter)
    .replace(COMMAND, '## ')
    .replace(LINE_COMMAND, '$1: ');
}

/** Like {@link printable} for a text of ours that has colours of ours in it. */
export function printableWithColours(text: string): string {
  const parts = text.split(/(\u001b\[[\d;]*m)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : printable(part))).join('');
}

/** JSON of the same value, safe to be printed as it stands: what {@link printable} would change has a spelling of its own in JSON. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, unitsEscaped).replace(COMMAND, '\\u0023#');
}

/**
 * XML or HTML that is safe to be printed as it stands, and shows what no reader would see: unprintable characters are spelled out, the rest
 * has a spelling of its own.
 */
export function printableMarkup(markup: string): string {
  return markup
    .replace(UNPRINTABLE, escapedCharacter)
    .replace(COMMAND, '&#35;#')
    .replace(LINE_COMMAND, '$1&#58;');
}

function escapedCharacter(c: string): string {
  return c.length === 1 ? unitsEscaped(c) : `\\u{${c.codePointAt(0)?.toString(16)}}`;
}

/** Every UTF-16 unit as JSON spells it. */
function unitsEscaped(c: string): string {
  return Array.from({ length: c.length }, (_, index) => {
    return `\\u${c.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** The text on one line, cut after `longest` characters with a note of how many are missing. */
export function oneLine(text: string, longest = 300): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest)}… (${line.length - longest} more)`;
}

/**
 * Each line of the text behind a marker. The marker is no decoration: a line that a target wrote and that starts with
 * `::` would be a command to a build server, indented or not.
 */
export function marked(text: string, marker: string): readonly string[] {
  return printable(text)
    .split('\n')
    .map((line) => `${marker} ${line}`.trimEnd());
}

/**
 * Control characters (line feed and tab apart) and marks that turn the writing direction. What a target answers ends
 * up in terminals and build logs: it must not move the cursor, hide text or forge lines there.
 */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text that is safe to print on a terminal or in a build log: unprintable characters spelled out as `\u001b`, and the
 * `##[` that some build servers take for a command broken up.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNPRINTABLE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('##[', '## [');
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

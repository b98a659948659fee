import { Help } from 'commander';

const WIDTH = 80;

/** Narrower columns stay unwrapped. */
export const NARROWEST = 24;

/**
 * Fills a help text to 80 columns. Lines without indentation are one paragraph; an indented line continues below its last column, which
 * two spaces begin.
 */
export function filled(text: string): string {
  return text
    .replaceAll(/(?<=^\S.*)\n(?=\S)/gm, ' ')
    .split('\n')
    .map(fillLine)
    .join('\n');
}

function fillLine(line: string): string {
  if (line.length <= WIDTH) return line;
  const column = line.lastIndexOf('  ') < 0 ? 0 : line.lastIndexOf('  ') + 2;
  const help = Object.assign(new Help(), { minWidthToWrap: NARROWEST });
  const rows = help.boxWrap(line.slice(column), WIDTH - column).split('\n');
  return rows
    .map((row, index) => (index === 0 ? line.slice(0, column) : ' '.repeat(column)) + row)
    .join('\n');
}

export interface Block {
  /** Line of its opening fence, from 1. */
  readonly line: number;
  /** `sh`, `ts`, `json`, …; empty for what is printed. */
  readonly language: string;
  readonly text: string;
  /** The comment in front of it, such as `<!-- not run: there is no such broker -->`. */
  readonly mark?: Mark;
}

/** Trials of a block that are unusual for its language. */
interface Mark {
  /** `output` is compared with what the commands above it print, `excerpt of` with what a test of that file makes. */
  readonly kind: 'not run' | 'run by' | 'output' | 'excerpt of' | 'drawing';
  readonly why: string;
}

export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent = '', language] = /^( *)```(\w*)$/.exec(lines[index] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, index + 1);
    if (end < 0) throw new Error(`the block that begins in line ${index + 1} has no end`);
    blocks.push({
      line: index + 1,
      language,
      text: lines.slice(index + 1, end).join('\n'),
      ...markIn(lines[index - 1] ?? ''),
    });
    index = end;
  }
  return blocks;
}

function markIn(line: string): { readonly mark?: Mark } {
  const [, kind, why = ''] =
    /^<!-- (not run|run by|output|excerpt of|drawing)(?:: (.+))? -->$/.exec(line) ?? [];
  return kind === undefined ? {} : { mark: { kind: kind as Mark['kind'], why } };
}

/** The commands of a block for a shell, one each; what is written over several lines is joined. */
export function commandsOf({ text }: Block): readonly string[] {
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** Returns an output with its numbers, ports, hashes, days and temporary folders masked, so that each run gives the same. */
function masked(line: string): string {
  return line
    .replace(/sha256:[0-9a-f]+…?/g, 'sha256:#')
    .replace(/\d+(?:[.,:-]\d+)*/g, '#')
    .trimEnd();
}

/** Shown lines that were not printed, in this order. `…` at a line's end stands for any rest, alone for any lines. */
export function notPrinted(shown: string, printed: string): readonly string[] {
  const lines = printed.split('\n').map(masked);
  let at = 0;
  return shown.split('\n').filter((line) => {
    if (line.trim() === '' || line.trim() === '…') return false;
    const wanted = masked(line);
    const fits = (one: string) => (wanted.includes('…') ? inParts(one, wanted.split('…')) : one === wanted);
    const found = lines.findIndex((one, index) => index >= at && fits(one));
    if (found < 0) return true;
    at = found + 1;
    return false;
  });
}

function inParts(line: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  if (!line.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = line.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

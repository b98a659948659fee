import ts from 'typescript';
import type { Problem } from './lint.ts';

const HEADLESS = 'what|whatever|whether|how|where|who|whoever|whom|whose|why|that';

/** "What a check returns": a clause without an actor, at the beginning of a comment or of a tag's text. */
const BEGINS = new RegExp(`^(?:@(?:returns|throws|param \\S+)\\s+)?(${HEADLESS})\\b`, 'i');

/** Returns the comments of a TypeScript or JavaScript text that begin with a headless clause. */
export function lintComments(source: string): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { text, line } of commentsIn(source)) {
    const [, word] = BEGINS.exec(text) ?? [];
    if (word === undefined) continue;
    const shown = text.length > 70 ? `${text.slice(0, 70)}…` : text;
    problems.push({
      line,
      message: `a comment begins with "${word}": name the actor, or delete it: ${shown}`,
    });
  }
  return problems;
}

/** The beginnings: each comment's first text, and each of its tags. Lines of `//` in a row are one comment. */
function* commentsIn(source: string): Generator<Problem & { readonly text: string }> {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest);
  let lastLine = -2;
  for (const { pos, end, kind } of rangesIn(file)) {
    const first = file.getLineAndCharacterOfPosition(pos).line;
    const follows = kind === ts.SyntaxKind.SingleLineCommentTrivia && first === lastLine + 1;
    lastLine = kind === ts.SyntaxKind.SingleLineCommentTrivia ? first : -2;
    if (follows) continue;
    let begun = false;
    for (const [index, row] of source.slice(pos, end).split('\n').entries()) {
      const text = row.replace(/^\s*(?:\/\*+|\/\/|\*(?!\/))?\s*|\s*\*\/$/g, '');
      if (text === '' || (begun && !text.startsWith('@'))) continue;
      begun = true;
      yield { line: first + index + 1, text, message: '' };
    }
  }
}

/** All comments, in order: those before each token, and those behind it on its line. */
function rangesIn(file: ts.SourceFile): readonly ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const look = (node: ts.Node): void => {
    for (const at of [node.pos, node.end])
      for (const range of [
        ...(ts.getLeadingCommentRanges(file.text, at) ?? []),
        ...(ts.getTrailingCommentRanges(file.text, at) ?? []),
      ])
        found.set(range.pos, range);
    for (const child of node.getChildren(file)) look(child);
  };
  look(file);
  return [...found.values()].sort((one, other) => one.pos - other.pos);
}

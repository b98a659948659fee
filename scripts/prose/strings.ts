import ts from 'typescript';
import type { Problem } from './lint.ts';
import { WORDINGS } from './wordings.ts';

/** Words in a printed sentence, at most. A piece of code and a value count as one word each. */
const LONGEST = 25;

/** Fewer words are a name, a header or a pattern. */
const FEWEST = 5;

/** Messages are put together of parts, as in `${id}: ${why}`, so each of these marks ends a sentence. */
const ENDS = /[.;:?!](?=\s)|\n/;

/**
 * Returns the problems of the strings and templates of a TypeScript text that are prose, whether they are printed, thrown or written
 * into a report: at least five words, and no markup. Long sentences, and wordings that have a plainer one.
 */
export function lintStrings(source: string): readonly Problem[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const problems: Problem[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return;
    const text = textOf(node);
    if (text !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      for (const message of problemsIn(text)) problems.push({ line, message });
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return problems;
}

/** The text of a string or template, with `…` for each value. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

function problemsIn(text: string): readonly string[] {
  if (/<\/?[a-z]|^\s*at |=>/.test(text)) return [];
  return text
    .replaceAll(/`[^`]*`/g, 'CODE')
    .split(ENDS)
    .flatMap((sentence) => {
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}…]/u.test(word));
      if (words.length < FEWEST) return [];
      const shown = sentence.trim().slice(0, 70);
      const plainer = WORDINGS.flatMap(({ avoid, write }) => {
        const [found] = avoid.exec(sentence) ?? [];
        return found === undefined ? [] : [`"${found}": write ${write}: ${shown}`];
      });
      return words.length > LONGEST
        ? [`${words.length} words in a printed sentence, at most ${LONGEST}: ${shown}`, ...plainer]
        : plainer;
    });
}

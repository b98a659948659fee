import type { Paragraph, Root, TableCell } from 'mdast';
import { toNlcst } from 'mdast-util-to-nlcst';
import { ParseEnglish } from 'parse-english';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import retextPassive from 'retext-passive';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import { WORDINGS } from './wordings.ts';

/** A sentence that breaks a rule of CONTRIBUTING.md, "How texts read". */
export interface Problem {
  readonly line: number;
  readonly message: string;
}

/** Words in a sentence, at most; in reference pages, whose sentences enumerate. A piece of code counts as no word. */
const LONGEST = { all: 25, terse: 45 };

/** Stands before a paragraph, a list or a table that breaks a rule for a reason: `<!-- prose: the reason -->`. */
const EXCUSE = /^<!-- prose: \S[\s\S]* -->$/;

const passive = unified().use(retextPassive);

/**
 * Returns the problems of a Markdown text: long sentences, wordings that have a plainer one, passive voice.
 *
 * @param rules `terse` for reference pages: longer sentences, and the passive voice
 */
export async function lintProse(
  markdown: string,
  rules: 'all' | 'terse' = 'all',
): Promise<readonly Problem[]> {
  const file = new VFile(markdown);
  for (const block of proseIn(unified().use(remarkParse).use(remarkGfm).parse(file))) {
    const tree = toNlcst(block, file, ParseEnglish);
    if (rules === 'all') await passive.run(tree, file);
    visit(tree, 'SentenceNode', (sentence) => {
      const { start, end } = sentence.position ?? {};
      const text = markdown.slice(start?.offset, end?.offset).replaceAll(/\s+/g, ' ');
      const reported = text.length > 70 ? `${text.slice(0, 70)}…` : text;
      const words = sentence.children.filter(({ type }) => type === 'WordNode').length;
      if (words > LONGEST[rules])
        file.message(`${words} words in a sentence, at most ${LONGEST[rules]}: ${reported}`, sentence);
      for (const { avoid, write } of WORDINGS) {
        const [found] = avoid.exec(text.replaceAll(/`[^`]*`/g, '')) ?? [];
        if (found !== undefined) file.message(`"${found}": write ${write}: ${reported}`, sentence);
      }
    });
  }
  return file.messages.map(({ line = 1, reason, actual }) => ({
    line,
    message: reason.includes('passive') ? `passive voice ("${actual}"): name who does it` : reason,
  }));
}

/** The paragraphs, headings and table cells, but those behind an excuse. */
function proseIn(root: Root): readonly Paragraph[] {
  const excused = root.children.filter((_, index) => {
    const before = root.children[index - 1];
    return before?.type === 'html' && EXCUSE.test(before.value);
  });
  const found: Paragraph[] = [];
  visit(root, (node) => {
    if (excused.some((one) => one === node)) return SKIP;
    if (node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'tableCell') return undefined;
    found.push({ ...(node as Paragraph | TableCell), type: 'paragraph' } as Paragraph);
    return SKIP;
  });
  return found;
}

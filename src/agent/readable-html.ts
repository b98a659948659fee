/** Maximum page size in characters. A page with a form has a few thousand. */
const LONGEST_PAGE = 1024 * 1024;

/** Maximum nesting, as in browsers. The parser's time grows with its square. */
const DEEPEST_NESTING = 512;

/** Elements that are empty or that the next one of their kind closes. */
const NEVER_NEST = new Set(
  'area base br col embed hr img input link meta param source track wbr p li td th h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);

export class PageUnreadable extends Error {
  override readonly name = 'PageUnreadable';
}

export function readableHtml(html: string): string {
  if (html.length > LONGEST_PAGE)
    throw new PageUnreadable(`the page has more than ${LONGEST_PAGE} characters`);
  const text = without(without(html, '<!--', '-->'), '<style>', '</style>');
  let depth = 0;
  for (const [, slash, name = ''] of text.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/g)) {
    if (NEVER_NEST.has(name.toLowerCase())) continue;
    depth = slash === '' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > DEEPEST_NESTING)
      throw new PageUnreadable(`the page has more than ${DEEPEST_NESTING} elements in one another`);
  }
  return text;
}

/** Removes everything between two marks, marks included. An unclosed part reaches to the end. */
function without(html: string, begin: string, close: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = html.indexOf(begin, from);
    if (start < 0) return from === 0 ? html : kept.join('') + html.slice(from);
    kept.push(html.slice(from, start));
    const end = html.indexOf(close, start + begin.length);
    if (end < 0) return kept.join('');
    from = end + close.length;
  }
}

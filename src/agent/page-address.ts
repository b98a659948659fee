const CUT = '…';

/** Parts shorter than this are words or numbers of a path. */
const SHORTEST_ID = 8;

/** A part without separators that is longer than this is no word. */
const LONGEST_WORD = 24;

/**
 * Host and path of a page, for messages: no query, which may hold anything, no port, so that two runs say the same, and none of
 * the path's parts that look random, because some services put the session's id there.
 */
export function pageAddress(url: string): string {
  if (!URL.canParse(url)) return (url.split(/[?#]/)[0] ?? url).split('/').map(segment).join('/');
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname.split('/').map(segment).join('/')}`;
}

/** A word or words, with whatever a text has of random characters cut. */
export function withoutRandomParts(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (looksRandom(word) ? CUT : word))
    .join('');
}

function segment(written: string): string {
  // `;jsessionid=…` and its like.
  const [name = '', parameters] = written.split(/;(.*)/s);
  const kept = looksRandom(name) ? CUT : name;
  return parameters === undefined ? kept : `${kept};${CUT}`;
}

/** Letters and digits that change places too often, or that are too many, to be words and numbers. */
function looksRandom(text: string): boolean {
  if (text.length < SHORTEST_ID) return false;
  return text.split(/[-_.~:,()/]|%[0-9A-Fa-f]{2}/).some((part) => {
    const runs = part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
    const digits = Math.max(0, ...runs.filter((run) => /^\d/.test(run)).map(({ length }) => length));
    return part.length > LONGEST_WORD || digits > SHORTEST_ID || runs.length > 2 + part.length / 6;
  });
}

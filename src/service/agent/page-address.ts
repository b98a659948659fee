const CUT = '…';

const SHORTEST_ID = 8;

const LONGEST_WORD = 24;

/** Returns host and path for messages, without query and random-looking parts: they may be secret or vary. */
export function pageAddress(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: url.split(/[?#]/)[0] ?? url };
  return `${host}${pathname.split('/').map(segment).join('/')}`;
}

export function withoutRandomParts(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (looksRandom(word) ? CUT : word))
    .join('');
}

const LONGEST_NAME = 40;

/** Returns a page's text for a message: short, without random-looking parts, email addresses and the hidden texts. */
export function shortPageText(text: string, hidden: readonly string[] = [], longest = LONGEST_NAME): string {
  const without = hidden.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, CUT), text);
  const cut = withoutRandomParts(without.replace(/\S+@\S+/g, CUT).replace(/\s+/g, ' '));
  return cut.length > longest ? `${cut.slice(0, longest)}${CUT}` : cut;
}

function segment(written: string): string {
  // `;jsessionid=…` and its like.
  const [name = '', parameters] = written.split(/;(.*)/s);
  const kept = looksRandom(name) ? CUT : name;
  return parameters === undefined ? kept : `${kept};${CUT}`;
}

function looksRandom(text: string): boolean {
  if (text.length < SHORTEST_ID) return false;
  return text.split(/[-_.~:,()/]|%[0-9A-Fa-f]{2}/).some((part) => {
    const runs = part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
    const digits = Math.max(0, ...runs.filter((run) => /^\d/.test(run)).map(({ length }) => length));
    return part.length > LONGEST_WORD || digits > SHORTEST_ID || runs.length > 2 + part.length / 6;
  });
}

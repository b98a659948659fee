import { lastNotAfter, latin1, type Reading } from './reading.ts';

/** `%2f`; `\u002f` and a surrogate pair of them, `\x2f`; `\n`, `\"`, `\/`, `\_`; `&#x3c;`, `&#60;`, `&lt;`. */
const ESCAPE =
  /%[0-9A-Fa-f]{2}|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[btnvfr!-/:-@[-`{-~]|&(?:#[xX][0-9A-Fa-f]{1,6}|#[0-9]{1,7}|[A-Za-z]{2,4});/g;

/** Undoes one level of percent encoding, of JSON and Markdown backslashes, and of HTML entities. */
export function* escapes(parent: Reading): Generator<Reading> {
  const places: { readonly begin: number; readonly end: number; to: number; toEnd: number }[] = [];
  let shorter = 0;
  const decoded = latin1(parent.bytes).replace(ESCAPE, (written: string, begin: number) => {
    const value = meaningOf(written);
    if (value === undefined) return written;
    const to = begin - shorter;
    places.push({ begin, end: begin + written.length, to, toEnd: to + value.length });
    shorter += written.length - value.length;
    return value;
  });
  if (places.length === 0) return;
  const inParent = (index: number, edge: 'begin' | 'end') => {
    const last = places[lastNotAfter(places, index, (place) => place.to)];
    if (last === undefined || index < last.to) return index;
    if (index >= last.toEnd) return last.end + index - last.toEnd;
    return edge === 'begin' ? last.begin : last.end - 1;
  };
  yield {
    bytes: Buffer.from(decoded, 'latin1'),
    packed: parent.packed,
    begin: (index) => parent.begin(inParent(index, 'begin')),
    end: (index) => parent.end(inParent(index, 'end')),
  };
}

/** Returns the bytes that an escape stands for; undefined for an entity without a meaning. */
function meaningOf(written: string): string | undefined {
  const [first, kind = ''] = written;
  if (first === '%') return String.fromCharCode(Number.parseInt(written.slice(1), 16));
  if (first === '&') return entity(written.slice(1, -1).toLowerCase());
  if (kind === 'x') return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  if (kind !== 'u') return CONTROLS[kind] ?? kind;
  const units = written.split('\\u').slice(1);
  return latin1(Buffer.from(String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))));
}

const CONTROLS: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return NAMED[name];
  const point = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point > 0x10ffff ? undefined : latin1(Buffer.from(String.fromCodePoint(point)));
}

/** As bytes of UTF-8. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00c2\u00a0',
};

/** Shorter segments of random text may decode to printable text by chance. */
const SHORTEST_ENCODED = 8;

const SEGMENT = /[A-Za-z0-9+/_-]{2,}={0,2}/g;

/** Runs this short may be equal in two random states. */
const SHORTEST_CONSTANT = 3;

/** Days around now in which a number is taken for a time: clocks are moved by hours only. */
const DAYS = 30;

/** Returns the entropy, in bits, that each state can hold at most: decoded, without times and without what all have in common. */
export function bitsOfStates(states: readonly string[]): ReadonlyMap<string, number> {
  const distinct = [...new Set(states)];
  const runs = new Map(distinct.map((state) => [state, runsOf(state)]));
  const inAll = (run: string) =>
    run.length >= SHORTEST_CONSTANT && [...runs.values()].every((others) => others.includes(run));
  const counts = (run: string) => !isTime(run) && (distinct.length === 1 || !inAll(run));
  return new Map([...runs].map(([state, all]) => [state, bitsOf(all.filter(counts).join(''))]));
}

/** Returns the state as an attacker may write it: the decoded parts changed, signatures and times kept; undefined if none changes. */
export function forgedState(state: string): string | undefined {
  const encoded = state.replaceAll(SEGMENT, (segment) => {
    const text = decoded(segment);
    return text === undefined || isHead(text) ? segment : encodedLike(segment, altered(text));
  });
  const forged = encoded === state ? altered(state) : encoded;
  return forged === state ? undefined : forged;
}

export function holdsTime(state: string): boolean {
  return runsOf(state).some(isTime);
}

function runsOf(state: string): readonly string[] {
  const text = state.replaceAll(SEGMENT, (segment) => {
    const plain = decoded(segment);
    if (plain === undefined) return segment;
    return isHead(plain) ? ' ' : ` ${plain} `;
  });
  return text.match(/[0-9A-Za-z]+/g) ?? [];
}

/** Returns the printable text that a segment encodes; undefined for another one. */
function decoded(segment: string): string | undefined {
  const bare = segment.replace(/=+$/, '');
  if (bare.length < SHORTEST_ENCODED) return undefined;
  const text = Buffer.from(bare, 'base64url').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) && encodedLike(segment, text) === segment ? text : undefined;
}

function encodedLike(segment: string, text: string): string {
  const base64 = Buffer.from(text, 'latin1').toString('base64');
  const padded = segment.endsWith('=') ? base64 : base64.replace(/=+$/, '');
  return /[-_]/.test(segment) ? padded.replaceAll('+', '-').replaceAll('/', '_') : padded;
}

/** True for the first part of a JWT. */
function isHead(text: string): boolean {
  return /^\{.*"alg" *:/.test(text);
}

/** Changes the last character of each value: in JSON of each string and number, elsewhere of each run. */
function altered(text: string): string {
  const value = /^\s*[{[]/.test(text) ? /(?<=[:[,]\s*"?)[^"\s:,{}[\]]+(?="?\s*[,}\]])/g : /[0-9A-Za-z]+/g;
  return text.replaceAll(value, (run) =>
    isTime(run) || /^(?:true|false|null)$/.test(run)
      ? run
      : run.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/, nextOf),
  );
}

function nextOf(letter: string): string {
  if (/[9zZ]/.test(letter)) return { 9: '8', z: 'y', Z: 'Y' }[letter] ?? letter;
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}

/** True for seconds, milliseconds, microseconds or nanoseconds since 1970 that are near now. */
function isTime(run: string): boolean {
  if (!/^(?:\d{10}|\d{13}|\d{16}|\d{19})$/.test(run)) return false;
  return Math.abs(Number(run.slice(0, 10)) - Date.now() / 1_000) < DAYS * 86_400;
}

function bitsOf(letters: string): number {
  if (/^\d*$/.test(letters)) return letters.length * 3.32;
  return letters.length * (/^([0-9a-f]*|[0-9A-F]*)$/.test(letters) ? 4 : 5.95);
}

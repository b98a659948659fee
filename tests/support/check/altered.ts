/** A value of the same length and alphabet as one that was issued, and never issued itself. */
export function neverIssued(like: string): string {
  return [...like].map((c, i) => turned(c, i + 1)).join('');
}

/**
 * What a value becomes when somebody gets it almost right: first, middle or last character changed, cut short, longer,
 * or in another letter case. Each once, none equal to the value.
 */
export function alterations(value: string): readonly string[] {
  const middle = Math.floor(value.length / 2);
  const altered = [
    changedAt(value, 0),
    changedAt(value, middle),
    changedAt(value, value.length - 1),
    value.slice(0, -1),
    value.slice(0, Math.max(1, middle)),
    `${value}x`,
    swapCase(value),
  ];
  return [...new Set(altered)].filter((a) => a !== value && a !== '');
}

/** {@link alterations}, and what only a form can carry: a NUL after the value, as padding to some length adds it. */
export function alterationsInForm(value: string): readonly string[] {
  return [...alterations(value), `${value}\0`];
}

function changedAt(value: string, index: number): string {
  return value.slice(0, index) + turned(value[index] ?? 'a', 1) + value.slice(index + 1);
}

/** Another character of the same kind: a digit for a digit, a letter for a letter. */
function turned(character: string, by: number): string {
  const turn = (first: string, count: number) =>
    String.fromCharCode(
      first.charCodeAt(0) +
        ((character.charCodeAt(0) - first.charCodeAt(0) + 1 + (by % (count - 1))) % count),
    );
  if (/[0-9]/.test(character)) return turn('0', 10);
  if (/[a-z]/.test(character)) return turn('a', 26);
  if (/[A-Z]/.test(character)) return turn('A', 26);
  return character;
}

function swapCase(value: string): string {
  return [...value].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
}

/**
 * An id of a project or user that does not exist, in the form that the target's ids have. Numbers are far beyond what
 * a service counts to, so that nobody's record is met by chance.
 */
export function unknownId(id: string): string {
  if (/^[0-9]+$/.test(id)) return `98765${String(Number(id) % 10_000).padStart(4, '0')}`;
  return id.length < 8 ? `${id}-unknown` : neverIssued(id);
}

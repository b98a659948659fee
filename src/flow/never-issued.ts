/** A value of the same length and alphabet as one that was issued, and never issued itself. */
export function neverIssued(like: string): string {
  return [...like].map((c, i) => turned(c, i + 1)).join('');
}

/**
 * An id of a project or user that does not exist, in the form that the target's ids have. Numbers are far beyond what
 * a service counts to, so that nobody's record is met by chance.
 */
export function unknownId(id: string): string {
  if (/^[0-9]+$/.test(id)) return `98765${String(Number(id) % 10_000).padStart(4, '0')}`;
  return id.length < 8 ? `${id}-unknown` : neverIssued(id);
}

/** Another character of the same kind: a digit for a digit, a letter for a letter. */
export function turned(character: string, by: number): string {
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

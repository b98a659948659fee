export function neverIssued(like: string): string {
  return [...like].map((c, i) => shiftedCharacter(c, i + 1)).join('');
}

/** Returns an id that no project or user has, in the form of the target's ids. Numbers are too large for a real record. */
export function unknownId(id: string): string {
  if (/^[0-9]+$/.test(id)) return `98765${String(Number(id) % 10_000).padStart(4, '0')}`;
  return id.length < 8 ? `${id}-unknown` : neverIssued(id);
}

export function shiftedCharacter(character: string, by: number): string {
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

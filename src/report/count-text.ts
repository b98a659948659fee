/** Returns `1 requirement` or `3 requirements`. */
export function countText(count: number, one = 'requirement', many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Names the first of a list, and counts the others. */
export function firstOf(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

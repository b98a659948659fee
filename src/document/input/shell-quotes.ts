/** Returns a text in single quotes, for a POSIX shell. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Like {@link singleQuoted}, but leaves a plain text as it is, an empty one too. */
export function unlessPlain(text: string): string {
  return /^[\w./:@%+,=-]*$/.test(text) ? text : singleQuoted(text);
}

/** Returns what `read` returns, or `otherwise` if it throws. */
export function orElse<T, U>(read: () => T, otherwise: U): T | U {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Decodes a text once; a malformed one stays as it is. */
export function percentDecoded(text: string): string {
  return orElse(() => decodeURIComponent(text), text);
}

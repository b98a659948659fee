/** Returns what `read` returns, or `otherwise` if it throws. */
export function orElse<T, U>(read: () => T, otherwise: U): T | U {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Returns an error of one kind in place of throwing it. */
export function orError<T, E extends Error>(
  work: Promise<T>,
  kind: abstract new (...given: never[]) => E,
): Promise<T | E> {
  return work.catch((error: unknown) => {
    if (error instanceof kind) return error;
    throw error;
  });
}

/** Decodes a text once; a malformed one stays as it is. */
export function percentDecoded(text: string): string {
  return orElse(() => decodeURIComponent(text), text);
}

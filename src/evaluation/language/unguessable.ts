/** Returns the most bits that chance can have put into a code, from codes of the same service: of characters that vary. */
export function bitsOf(code: string, codes: readonly string[]): number {
  return Math.floor(varying(code, codes) * bitsPerCharacter(codes));
}

function bitsPerCharacter(codes: readonly string[]): number {
  const text = codes.join('');
  if (/^[0-9]+$/.test(text)) return Math.log2(10);
  if (/^[0-9a-f]+$/i.test(text)) return 4;
  return /^[0-9a-z]+$/.test(text) ? Math.log2(36) : 6;
}

/** Counts the characters of a code that vary between codes, by position from the start or the end. */
function varying(code: string, codes: readonly string[]): number {
  const alike = (at: (of: string) => string | undefined) => codes.every((other) => at(other) === at(code));
  return [...code].filter((_, i) => !alike((of) => of[i]) && !alike((of) => of.at(i - code.length))).length;
}

const LONGEST = 300;

/**
 * A text of the service made fit for an error message: printable ASCII (RFC 6749 appendix A.7), not too long, with the
 * given secrets blacked out, as they are and percent-encoded.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ]);
  return spellings
    .filter((spelling) => spelling !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((rest, spelling) => rest.replaceAll(spelling, '<redacted>'), text)
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, LONGEST);
}

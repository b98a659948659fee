const LONGEST = 300;

/**
 * Makes a text of the service safe for an error message: printable ASCII (RFC 6749 appendix A.7), shortened, with the
 * given secrets redacted, also in percent-encoding.
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

/** A `WWW-Authenticate` value (RFC 6750 section 3). An empty `error` leaves error and description out. */
export function challenge(scheme: string, realm: string, error: string, description: string): string {
  const start = `${scheme} realm=${quoted(realm)}`;
  return error === '' ? start : `${start}, error=${quoted(error)}, error_description=${quoted(description)}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

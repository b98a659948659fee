const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** `redirectAddresses` in `spec/profile.schema.json` defines the permitted differences. */
export function areAlike(asked: string, known: string): boolean {
  const [one, other] = [ADDRESS.exec(asked), ADDRESS.exec(known)];
  if (one === null || other === null || one[4] !== undefined) return false;
  const [, origin = '', path, query = ''] = one;
  const [, knownOrigin = '', knownPath, knownQuery] = other;
  if (origin.toLowerCase() !== knownOrigin.toLowerCase() || path !== knownPath) return false;
  return knownQuery === undefined || sorted(query) === sorted(knownQuery);
}

function sorted(query: string): string {
  return query.slice(1).split('&').sort().join('&');
}

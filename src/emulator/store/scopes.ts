type GrantedScope = 'read' | 'write' | 'destroy';

/** A set of scopes, in the order of the document, without repetition. Equal sets are the same array. */
export type Scopes = readonly GrantedScope[];

export const EVERY_SCOPE: Scopes = ['read', 'write', 'destroy'];

/** Every set of scopes, by bit mask in the order of {@link EVERY_SCOPE}: a million tokens share eight arrays. */
const SETS: readonly Scopes[] = Array.from({ length: 8 }, (_, mask) =>
  mask === 7 ? EVERY_SCOPE : EVERY_SCOPE.filter((__, bit) => (mask & (1 << bit)) !== 0),
);

const TEXTS: ReadonlyMap<Scopes, string> = new Map(SETS.map((scopes) => [scopes, scopes.join(' ')]));

function maskOf(scopes: Iterable<string>): number | undefined {
  let mask = 0;
  for (const scope of scopes) {
    const bit = EVERY_SCOPE.indexOf(scope as GrantedScope);
    if (bit < 0) return undefined;
    mask |= 1 << bit;
  }
  return mask;
}

export function scopeSet(scopes: Iterable<GrantedScope>): Scopes {
  return SETS[maskOf(scopes) ?? 0] ?? [];
}

/** Reads a space-delimited scope value (clause 4.1, RFC 6749 section 3.3). Undefined for an unknown scope. */
export function parseScopes(value: string): Scopes | undefined {
  const mask = maskOf(value.split(' ').filter((token) => token !== ''));
  return mask === undefined ? undefined : SETS[mask];
}

export function formatScopes(scopes: Scopes): string {
  return TEXTS.get(scopes) ?? scopes.join(' ');
}

export function includesScopes(scopes: Scopes, wanted: Scopes): boolean {
  return wanted.every((scope) => scopes.includes(scope));
}

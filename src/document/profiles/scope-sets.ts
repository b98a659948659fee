/** Sets of the three scopes (clause 5.3), space-delimited in the order read, write, destroy. */

const SCOPES = ['read', 'write', 'destroy'] as const;

export const SCOPE_SETS: readonly string[] = [1, 2, 4, 3, 5, 6, 7].map((mask) =>
  SCOPES.filter((_, bit) => (mask & (1 << bit)) !== 0).join(' '),
);

/** The sets that a client may ask for besides all three scopes (clause 5.3). */
export const SOME_SCOPES = SCOPE_SETS.slice(0, -1);

export function suffices(scopes: string, smallest: readonly string[]): boolean {
  const held = scopes.split(' ');
  return smallest.some((set) => set.split(' ').every((scope) => held.includes(scope)));
}

export function smallestSets(sets: readonly string[]): readonly string[] {
  return SCOPE_SETS.filter((set) => {
    const others = sets.filter((other) => normal(other) !== set);
    return sets.some((other) => normal(other) === set) && !suffices(set, others);
  });
}

export function isMonotonic(allowed: readonly string[]): boolean {
  const smallest = smallestSets(allowed);
  return SCOPE_SETS.every((set) => suffices(set, smallest) === allowed.includes(set));
}

function normal(set: string): string {
  const held = set.split(' ');
  return SCOPES.filter((scope) => held.includes(scope)).join(' ');
}

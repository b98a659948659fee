/** Details of a test that takes long and that `npm run prove` runs. `npm test` leaves it out. */
export const PROVE = { tag: '@prove' } as const;

/** Pairs items with the details of their tests: `npm test` runs the first `count`, `npm run prove` the others. */
export function firstInTest<T>(
  items: readonly T[],
  count: number,
): readonly (readonly [T, { readonly tag?: '@prove' }])[] {
  return items.map((item, index) => [item, index < count ? {} : PROVE]);
}

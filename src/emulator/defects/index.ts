import type { Defect } from '../defect.ts';

/** Every defect that the emulator knows, by clause. */
export const DEFECTS: readonly Defect[] = [];

/**
 * The defects with these ids, in this order.
 *
 * @throws RangeError naming an id that is not known
 */
export function defectsById(ids: readonly string[]): readonly Defect[] {
  return ids.map((id) => {
    const defect = DEFECTS.find((d) => d.id === id);
    if (defect !== undefined) return defect;
    throw new RangeError(`defects: expected ids of \`legacy-conformance defects\`, got ${JSON.stringify(id)}`);
  });
}

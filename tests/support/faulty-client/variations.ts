import type { VariationId } from './faults.ts';

/** True if one of these variations is switched on. */
export type Is = (...variations: readonly VariationId[]) => boolean;

/** A value for each variation that changes one decision. */
export type Choices<T> = { readonly [Id in VariationId]?: T };

/** Returns the value of the first variation that is switched on, else the usual one. */
export function choose<T>(is: Is, choices: Choices<T>, usual: T): T {
  for (const [variation, value] of Object.entries(choices)) if (is(variation as VariationId)) return value;
  return usual;
}

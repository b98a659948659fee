import type { Defect } from '../defect.ts';
import { defects as clause1 } from './1-what-the-service-does.ts';
import { defects as clause21 } from './2-1-token-response.ts';
import { defects as clause22 } from './2-2-authorization-code.ts';
import { defects as clause23 } from './2-3-other-records.ts';
import { defects as clause3 } from './3-states-and-transitions.ts';
import { defects as clause41 } from './4-1-authorization-request.ts';
import { defects as clause42 } from './4-2-exchange.ts';
import { defects as clause43 } from './4-3-refresh.ts';
import { defects as clause44 } from './4-4-assigned-users.ts';
import { defects as clause5 } from './5-authentication.ts';
import { defects as clause7Resource } from './7-errors-resource.ts';
import { defects as clause7Token } from './7-errors-token.ts';
import { defects as clause8 } from './8-limits.ts';
import { defects as clause9 } from './9-versioning.ts';

/** Every defect that the emulator knows, by clause. */
export const DEFECTS: readonly Defect[] = [
  ...clause1,
  ...clause21,
  ...clause22,
  ...clause23,
  ...clause3,
  ...clause41,
  ...clause42,
  ...clause43,
  ...clause44,
  ...clause5,
  ...clause7Resource,
  ...clause7Token,
  ...clause8,
  ...clause9,
];

/**
 * The defects with these ids, in this order.
 *
 * @throws RangeError naming an id that is not known
 */
export function defectsById(ids: readonly string[]): readonly Defect[] {
  return ids.map((id) => {
    const defect = DEFECTS.find((d) => d.id === id);
    if (defect !== undefined) return defect;
    throw new RangeError(
      `defects: expected ids of \`legacy-conformance defects\`, got ${JSON.stringify(id)}`,
    );
  });
}

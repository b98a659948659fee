import type { Defect } from '../../src/emulator/defects/define-defect.ts';
import { defectsById } from '../../src/emulator/defects/index.ts';
import { SECOND_ORDER } from './second-order/index.ts';

/**
 * Returns the defects with these ids, of first or second order.
 *
 * @throws RangeError naming an id that is neither
 */
export function anyDefectsById(ids: readonly string[]): readonly Defect[] {
  return ids.flatMap((id) => SECOND_ORDER.find((defect) => defect.id === id) ?? defectsById([id]));
}

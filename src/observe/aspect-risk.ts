import type { OpenPointId } from '../../generated/ids.ts';
import type { Catalogue, Risk } from '../catalogue/types.ts';
import { type AspectId, namesOf } from '../profiles/aspects.ts';

/** What observing an aspect may do to a live target, and the open point that it belongs to. */
export function riskOf(
  catalogue: Catalogue,
  id: AspectId,
): { readonly openPoint: OpenPointId; readonly risk: Risk } {
  const { openPoint, aspect } = namesOf(id);
  const point = catalogue.openPoint(openPoint);
  const own = point.aspects.find(({ name }) => name === aspect)?.risk;
  return { openPoint, risk: own ?? point.risk };
}

import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import type { RequirementId } from '../../../src/document/types.ts';
import type { Defect } from '../../../src/emulator/defects/define-defect.ts';
import { stated } from '../../../src/emulator/defects/index.ts';
import { DEFECTS } from '../defects/index.ts';
import { assignments as concurrentAssignments } from './concurrency/assignments.ts';
import { tokens as concurrentTokens } from './concurrency/tokens.ts';
import { defects as data } from './data.ts';
import type { DefectClass, ProvenDefect, SecondOrderDefects } from './define-second-order.ts';
import { assignments as assignmentsInOrder } from './order/assignments.ts';
import { parameters } from './order/parameters.ts';
import { tokens as tokensInOrder } from './order/tokens.ts';
import { assignments as rareAssignments } from './rarity/assignments.ts';
import { authorizations } from './rarity/authorizations.ts';
import { tokens as rareTokens } from './rarity/tokens.ts';
import { caches } from './reader/caches.ts';
import { views } from './reader/views.ts';
import { assignments as assignmentStates } from './state/assignments.ts';
import { codes } from './state/codes.ts';
import { tokens as tokenStates } from './state/tokens.ts';

const CLASSES: Readonly<Record<DefectClass, readonly SecondOrderDefects[]>> = {
  state: [tokenStates, codes, assignmentStates],
  data: [data],
  reader: [caches, views],
  order: [tokensInOrder, parameters, assignmentsInOrder],
  concurrency: [concurrentTokens, concurrentAssignments],
  rarity: [rareTokens, authorizations, rareAssignments],
};

/** The clause of a defect is that of the first requirement that it breaks. */
const clauseOf = ([first]: readonly RequirementId[]) =>
  loadCatalogue().requirement(first as RequirementId).clause;

const STATED = (Object.keys(CLASSES) as DefectClass[]).flatMap((kind) =>
  stated(CLASSES[kind], { class: kind, severity: 'subtle' } as const),
);

/** The facts of every defect of second order, by class. */
export const SECOND_ORDER_FACTS: readonly ProvenDefect[] = STATED.map(({ facts }) => ({
  ...facts,
  clause: clauseOf(facts.breaks),
}));

/**
 * Faults that one example of each sentence does not show: in some states, for some data, for some readers, in some order,
 * with requests in flight at once, or once in many times.
 */
export const SECOND_ORDER: readonly Defect[] = STATED.map((one) => one.defect);

/**
 * Returns the defects with these ids, of first or second order.
 *
 * @throws RangeError naming an id that is neither
 */
export function anyDefectsById(ids: readonly string[]): readonly Defect[] {
  return ids.map((id) => {
    const found = [...SECOND_ORDER, ...DEFECTS].find((defect) => defect.id === id);
    if (found === undefined) throw new RangeError(`expected the id of a defect, got ${id}`);
    return found;
  });
}

import type { ClauseId } from '../../../generated/ids.ts';
import { defects as clause21 } from './2-1-token-response.ts';
import { defects as clause22 } from './2-2-authorization-code.ts';
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
import { type Defect, type Defects, defect, type StatedDefect } from './define-defect.ts';

export interface DefectFacts extends Omit<StatedDefect, 'changes' | 'severity'> {
  readonly id: string;
  readonly severity: 'blunt' | 'subtle';
  readonly clause: ClauseId;
  /** File or folder name of the defect's clause, such as `4-2-exchange`. */
  readonly slug: string;
}

export type DefectsOfClause = readonly [clause: ClauseId, slug: string, ...defects: Defects[]];

const CLAUSES: readonly DefectsOfClause[] = [
  ['2.1', '2-1-token-response', clause21],
  ['2.2', '2-2-authorization-code', clause22],
  ['3', '3-states-and-transitions', clause3],
  ['4.1', '4-1-authorization-request', clause41],
  ['4.2', '4-2-exchange', clause42],
  ['4.3', '4-3-refresh', clause43],
  ['4.4', '4-4-assigned-users', clause44],
  ['5', '5-authentication', clause5],
  ['7', '7-errors-resource', clause7Resource],
  ['7', '7-errors-token', clause7Token],
  ['8', '8-limits', clause8],
  ['9', '9-versioning', clause9],
];

const STATED = statedByClause(CLAUSES, 'blunt');

export const DEFECT_FACTS: readonly DefectFacts[] = STATED.map(({ facts }) => facts);

export const DEFECTS: readonly Defect[] = STATED.map((one) => one.defect);

/** Returns the defects of some clauses, each with its facts. `severity` is that of a defect that names none. */
export function statedByClause(clauses: readonly DefectsOfClause[], severity: DefectFacts['severity']) {
  return clauses.flatMap(([clause, slug, ...groups]) => stated(groups, { clause, slug, severity }));
}

/** Returns defects, each with its own facts and the common ones. */
export function stated<C extends object>(groups: readonly Defects[], common: C) {
  return groups.flatMap((defects) =>
    Object.entries(defects).map(([id, { changes, ...facts }]) => ({
      facts: { id, ...common, ...facts },
      defect: defect(id, changes),
    })),
  );
}

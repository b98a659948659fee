import type { ClauseId } from '../../../generated/ids.ts';
import { defects as clause1 } from './1-what-the-service-does.ts';
import { fields } from './2-1-token-response/fields.ts';
import { tokens as tokens21 } from './2-1-token-response/tokens.ts';
import { defects as clause22 } from './2-2-authorization-code.ts';
import { defects as clause23 } from './2-3-other-records.ts';
import { defects as clause3 } from './3-states-and-transitions.ts';
import { consent } from './4-1-authorization-request/consent.ts';
import { parameters } from './4-1-authorization-request/parameters.ts';
import { redirectAddresses } from './4-1-authorization-request/redirect-addresses.ts';
import { redirects } from './4-1-authorization-request/redirects.ts';
import { scopes } from './4-1-authorization-request/scopes.ts';
import { states } from './4-1-authorization-request/states.ts';
import { clients as clients42 } from './4-2-exchange/clients.ts';
import { codes } from './4-2-exchange/codes.ts';
import { forms } from './4-2-exchange/forms.ts';
import { redirectUris } from './4-2-exchange/redirect-uris.ts';
import { clients as clients43 } from './4-3-refresh/clients.ts';
import { honoured } from './4-3-refresh/honoured.ts';
import { tokens as tokens43 } from './4-3-refresh/tokens.ts';
import { changes } from './4-4-assigned-users/changes.ts';
import { list } from './4-4-assigned-users/list.ts';
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
  ['1', '1-what-the-service-does', clause1],
  ['2.1', '2-1-token-response', fields, tokens21],
  ['2.2', '2-2-authorization-code', clause22],
  ['2.3', '2-3-other-records', clause23],
  ['3', '3-states-and-transitions', clause3],
  ['4.1', '4-1-authorization-request', redirects, consent, parameters, redirectAddresses, scopes, states],
  ['4.2', '4-2-exchange', forms, clients42, redirectUris, codes],
  ['4.3', '4-3-refresh', honoured, clients43, tokens43],
  ['4.4', '4-4-assigned-users', changes, list],
  ['5', '5-authentication', clause5],
  ['7', '7-errors-resource', clause7Resource],
  ['7', '7-errors-token', clause7Token],
  ['8', '8-limits', clause8],
  ['9', '9-versioning', clause9],
];

const STATED = stated(CLAUSES, 'blunt');

export const DEFECT_FACTS: readonly DefectFacts[] = STATED.map(({ facts }) => facts);

export const DEFECTS: readonly Defect[] = STATED.map((one) => one.defect);

/** Returns the defects of some clauses, each with its facts. `severity` is that of a defect that names none. */
export function stated(clauses: readonly DefectsOfClause[], severity: DefectFacts['severity']) {
  return clauses.flatMap(([clause, slug, ...groups]) =>
    groups.flatMap((defects) =>
      Object.entries(defects).map(([id, { changes, ...facts }]) => ({
        facts: { id, clause, slug, severity, ...facts } satisfies DefectFacts as DefectFacts,
        defect: defect(id, changes),
      })),
    ),
  );
}

/** @throws RangeError for an unknown id */
export function defectsById(ids: readonly string[]): readonly Defect[] {
  return ids.map((id) => {
    const found = DEFECTS.find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new RangeError(
      `defects: expected ids of \`legacy-conformance explain defects\`, got ${JSON.stringify(id)}`,
    );
  });
}

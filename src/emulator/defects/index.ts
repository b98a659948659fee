import type { ClauseId } from '../../../generated/ids.ts';
import type { Defect } from '../defect.ts';
import { defects as clause1 } from './1-what-the-service-does.ts';
import { elsewhere as elsewhere21 } from './2-1-token-response/elsewhere.ts';
import { fields } from './2-1-token-response/fields.ts';
import { headers } from './2-1-token-response/headers.ts';
import { tokens } from './2-1-token-response/tokens.ts';
import { codeValues } from './2-2-authorization-code/code-values.ts';
import { replays } from './2-2-authorization-code/replays.ts';
import { defects as clause23 } from './2-3-other-records.ts';
import { defects as clause3 } from './3-states-and-transitions.ts';
import { consent } from './4-1-authorization-request/consent.ts';
import { parameters } from './4-1-authorization-request/parameters.ts';
import { redirectAddresses } from './4-1-authorization-request/redirect-addresses.ts';
import { redirects } from './4-1-authorization-request/redirects.ts';
import { scopes as scopes41 } from './4-1-authorization-request/scopes.ts';
import { spellings } from './4-1-authorization-request/spellings.ts';
import { states } from './4-1-authorization-request/states.ts';
import { unfollowedAddresses } from './4-1-authorization-request/unfollowed-addresses.ts';
import { clients as clients42 } from './4-2-exchange/clients.ts';
import { codes } from './4-2-exchange/codes.ts';
import { forms } from './4-2-exchange/forms.ts';
import { redirectUris } from './4-2-exchange/redirect-uris.ts';
import { secrets } from './4-2-exchange/secrets.ts';
import { variants } from './4-2-exchange/variants.ts';
import { client } from './4-3-refresh/client.ts';
import { honoured } from './4-3-refresh/honoured.ts';
import { scope } from './4-3-refresh/scope.ts';
import { token } from './4-3-refresh/token.ts';
import { assign } from './4-4-assigned-users/assign.ts';
import { clients as clients44 } from './4-4-assigned-users/clients.ts';
import { elsewhere as elsewhere44 } from './4-4-assigned-users/elsewhere.ts';
import { list } from './4-4-assigned-users/list.ts';
import { unassign } from './4-4-assigned-users/unassign.ts';
import { elsewhere as elsewhere5 } from './5-authentication/elsewhere.ts';
import { scopes as scopes5 } from './5-authentication/scopes.ts';
import { tokenChecked } from './5-authentication/token-checked.ts';
import { tokenRequired } from './5-authentication/token-required.ts';
import { answers } from './7-errors-resource/answers.ts';
import { unknownRecords } from './7-errors-resource/unknown-records.ts';
import { defects as clause7Token } from './7-errors-token.ts';
import { defects as clause8 } from './8-limits.ts';
import { defects as clause9 } from './9-versioning.ts';
import { type Defects, defect, type StatedDefect } from './define-defect.ts';

export interface DefectFacts extends Omit<StatedDefect, 'changes' | 'severity'> {
  readonly id: string;
  readonly severity: 'blunt' | 'subtle';
  readonly clause: ClauseId;
  /** File or folder name of the defect's clause, such as `4-2-exchange`. */
  readonly slug: string;
}

const CLAUSES: readonly (readonly [clause: ClauseId, slug: string, ...defects: Defects[]])[] = [
  ['1', '1-what-the-service-does', clause1],
  ['2.1', '2-1-token-response', fields, tokens, headers, elsewhere21],
  ['2.2', '2-2-authorization-code', replays, codeValues],
  ['2.3', '2-3-other-records', clause23],
  ['3', '3-states-and-transitions', clause3],
  ['4.1', '4-1-authorization-request', redirects, consent, parameters, redirectAddresses],
  ['4.1', '4-1-authorization-request', unfollowedAddresses, scopes41, states, spellings],
  ['4.2', '4-2-exchange', forms, clients42, secrets, redirectUris, codes, variants],
  ['4.3', '4-3-refresh', honoured, client, token, scope],
  ['4.4', '4-4-assigned-users', assign, unassign, list, elsewhere44, clients44],
  ['5', '5-authentication', scopes5, tokenRequired, tokenChecked, elsewhere5],
  ['7', '7-errors-resource', unknownRecords, answers],
  ['7', '7-errors-token', clause7Token],
  ['8', '8-limits', clause8],
  ['9', '9-versioning', clause9],
];

const STATED = CLAUSES.flatMap(([clause, slug, ...groups]) =>
  groups.flatMap((defects) =>
    Object.entries(defects).map(([id, { changes, ...facts }]) => ({
      facts: { id, clause, slug, severity: 'subtle', ...facts } satisfies DefectFacts,
      defect: defect(id, changes),
    })),
  ),
);

export const DEFECT_FACTS: readonly DefectFacts[] = STATED.map(({ facts }) => facts);

export const DEFECTS: readonly Defect[] = STATED.map((one) => one.defect);

/** @throws RangeError for an unknown id */
export function defectsById(ids: readonly string[]): readonly Defect[] {
  return ids.map((id) => {
    const found = DEFECTS.find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new RangeError(
      `defects: expected ids of \`legacy-conformance defects\`, got ${JSON.stringify(id)}`,
    );
  });
}

import type { Defect } from '../../../src/emulator/defects/define-defect.ts';
import {
  type DefectFacts,
  type DefectsOfClause,
  DEFECTS as EMULATOR_DEFECTS,
  DEFECT_FACTS as EMULATOR_FACTS,
  statedByClause,
} from '../../../src/emulator/defects/index.ts';
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
import { variants } from './4-2-exchange/variants.ts';
import { clients as clients43 } from './4-3-refresh/clients.ts';
import { honoured } from './4-3-refresh/honoured.ts';
import { tokens as tokens43 } from './4-3-refresh/tokens.ts';
import { changes } from './4-4-assigned-users/changes.ts';
import { elsewhere } from './4-4-assigned-users/elsewhere.ts';
import { list } from './4-4-assigned-users/list.ts';
import { defects as clause5 } from './5-authentication.ts';
import { defects as clause7Resource } from './7-errors-resource.ts';
import { defects as clause7Token } from './7-errors-token.ts';
import { defects as clause8 } from './8-limits.ts';
import { defects as clause9 } from './9-versioning.ts';

/** The defects that prove checks and that no integrator would switch on. The emulator has the others. */
const CLAUSES: readonly DefectsOfClause[] = [
  ['1', '1-what-the-service-does', clause1],
  ['2.1', '2-1-token-response', fields, tokens21],
  ['2.2', '2-2-authorization-code', clause22],
  ['2.3', '2-3-other-records', clause23],
  ['3', '3-states-and-transitions', clause3],
  ['4.1', '4-1-authorization-request', redirects, consent, parameters, redirectAddresses, scopes, states],
  ['4.2', '4-2-exchange', forms, clients42, redirectUris, codes, variants],
  ['4.3', '4-3-refresh', honoured, clients43, tokens43],
  ['4.4', '4-4-assigned-users', changes, list, elsewhere],
  ['5', '5-authentication', clause5],
  ['7', '7-errors-resource', clause7Resource],
  ['7', '7-errors-token', clause7Token],
  ['8', '8-limits', clause8],
  ['9', '9-versioning', clause9],
];

const STATED = statedByClause(CLAUSES, 'subtle');

/** The facts of every defect of first order, the emulator's own among them. */
export const DEFECT_FACTS: readonly DefectFacts[] = [...EMULATOR_FACTS, ...STATED.map(({ facts }) => facts)];

/** Every defect of first order. */
export const DEFECTS: readonly Defect[] = [...EMULATOR_DEFECTS, ...STATED.map((one) => one.defect)];

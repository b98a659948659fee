import type { Defect } from '../defect.ts';
import { consent } from './4-1-authorization-request/consent.ts';
import { denial } from './4-1-authorization-request/denial.ts';
import { parameters } from './4-1-authorization-request/parameters.ts';
import { redirectAddresses } from './4-1-authorization-request/redirect-addresses.ts';
import { redirects } from './4-1-authorization-request/redirects.ts';
import { scopes } from './4-1-authorization-request/scopes.ts';
import { spellings } from './4-1-authorization-request/spellings.ts';
import { states } from './4-1-authorization-request/states.ts';
import { unfollowedAddresses } from './4-1-authorization-request/unfollowed-addresses.ts';

/** Faults of clause 4.1: the authorization request. */
export const defects: readonly Defect[] = [
  ...redirects,
  ...consent,
  ...parameters,
  ...redirectAddresses,
  ...unfollowedAddresses,
  ...scopes,
  ...states,
  ...denial,
  ...spellings,
];

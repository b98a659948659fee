/** Faults of the independent service, one at a time, so that checks prove themselves on more than the emulator's. */
const DEFECTS = {
  'expires-in-3600': 'access tokens live, and are said to live, 3600 seconds (clauses 2.1 and 8)',
  'no-refresh-tokens': 'an exchange gives no refresh token (clause 2.1)',
  'denial-grants':
    'whichever button is pressed on the consent page, the application is granted what it asks for (clause 4.1)',
  'no-rotation': 'a refresh gives the same refresh token back (clause 2.1 rule 1)',
  'code-reusable': 'a code can be exchanged again (clause 2.2)',
  'redirect-uri-unchecked-at-exchange': 'the exchange takes any redirect_uri (clause 4.2)',
  'client-secret-unchecked': 'the token endpoint takes any client_secret (clauses 4.2 and 4.3)',
  'list-crosses-projects': 'a list holds the users of every project (clause 4.4)',
  'unassign-removes-all': 'unassigning one user empties the project (clause 4.4)',
  'token-not-required-for-list': 'the list is given to whoever sends no token (clauses 1 and 4.4)',
} as const;

/** Id of one of the independent service's {@link DEFECTS}. */
export type DefectId = keyof typeof DEFECTS;

/** Demands instead of the documented request, each with one workaround that the diagnosis has to find. */
export const DEMANDS = {
  state: 'authorization requests must carry `state` (clause 4.1 asks for none)',
  basic: 'clients must authenticate by HTTP Basic (clauses 4.2 and 4.3: form parameters)',
  json: 'token requests must have a JSON body (clauses 4.2 and 4.3: form-encoded)',
  percent20: 'scopes must be separated by %20 (clause 4.1: a plus sign)',
  'first-scope-only': 'an authorization request may name one scope only (clauses 4.1 and 5.3: several)',
  'one-scope-acts': 'of a token with several scopes none may write (clause 5.3: all three act)',
  'scope-at-refresh': 'a refresh must carry `scope` (clause 4.3 lists four parameters)',
  'unassign-without-v2': 'unassign answers without /v2, and it alone (clauses 4.4 and 9.1)',
  'no-v2': 'the resource API answers without /v2 (clauses 1 and 9.1)',
} as const;

/** Id of one of the independent service's {@link DEMANDS}. */
export type DemandId = keyof typeof DEMANDS;

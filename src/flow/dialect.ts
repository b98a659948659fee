import type { PresentationPlace } from '../targets/target.ts';
import type { Operation } from './requests.ts';

/**
 * How the suite talks to a target. It starts as the document says; diagnosis of a refused base walk may change one
 * answer, and then the requirement that owns the step has failed already.
 */
export interface Dialect {
  /** How an access token is presented; open in the document (clause 5.6). */
  readonly presentation: PresentationPlace;
  /** Where the client's credentials go; the document puts them into the form (clauses 4.2 and 4.3). */
  readonly clientAuthentication: 'form' | 'basic';
  /** The token request's body; the document says form-encoded (clauses 4.2 and 4.3). */
  readonly tokenBody: 'form' | 'json';
  /** What stands between scopes in the encoded query; the document says a plus sign (clause 4.1). */
  readonly scopeSeparator: '+' | '%20';
  /** Whether `state` is sent; the document does not list it (clause 4.1). */
  readonly sendState: boolean;
  /** Whether only the first of several scopes is asked for; the document allows several (clauses 4.1 and 5.3). */
  readonly oneScopeOnly: boolean;
  /** Whether each operation is sent a token of one scope alone; the document lets a token have all three (clause 5.3). */
  readonly oneScopePerOperation: boolean;
  /** Whether a refresh names the scopes; the document does not list the parameter (clause 4.3). */
  readonly scopeAtRefresh: boolean;
  /** Operations that answer without the prefix alone; the document has it for all (clauses 4.4 and 9.1). */
  readonly unversioned: readonly Operation[];
  /** Prefix of the resource paths; the document says `/v2` (clauses 4.4 and 9.1). */
  readonly versionPrefix: '/v2' | '';
  /** JSON pointer to listed users' ids, `*` for the position; undefined until it is known (clause 2.3 leaves it open). */
  readonly userIdPointer: string | undefined;
  /** Whether a refresh before expiry is honoured; the document promises it nowhere. */
  readonly refreshBeforeExpiry: boolean;
}

/** The document's own words, where it has some, and the most common answer where it is silent. */
export const DOCUMENTED: Dialect = {
  presentation: { in: 'header', scheme: 'Bearer' },
  clientAuthentication: 'form',
  tokenBody: 'form',
  scopeSeparator: '+',
  sendState: false,
  oneScopeOnly: false,
  oneScopePerOperation: false,
  scopeAtRefresh: false,
  unversioned: [],
  versionPrefix: '/v2',
  userIdPointer: undefined,
  refreshBeforeExpiry: true,
};

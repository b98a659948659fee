import type { PresentationPlace } from '../target.ts';

export type Operation = 'assign' | 'unassign' | 'list';

/**
 * The form of the suite's requests to a target. It starts as documented; a workaround found by the smoke flow changes one
 * member and fails the step's requirement.
 */
export interface RequestStyle {
  /** Place of the access token; open in the document (clause 5.6). */
  readonly presentation: PresentationPlace;
  /** Place of the client's credentials; documented: the form (clauses 4.2 and 4.3). */
  readonly clientAuthentication: 'form' | 'basic';
  /** Encoding of token requests; documented: form (clauses 4.2 and 4.3). */
  readonly tokenBody: 'form' | 'json';
  /** Separator of scopes in the encoded query; documented: a plus sign (clause 4.1). */
  readonly scopeSeparator: '+' | '%20';
  /** Sends `state`; not documented (clause 4.1). */
  readonly sendState: boolean;
  /** Sends a code challenge, and its verifier with the code (RFC 7636); not documented (clauses 4.1 and 4.2). */
  readonly pkce: boolean;
  /** Ends the path of the token endpoint with a slash; documented: without (clauses 4.2 and 4.3). */
  readonly tokenSlash: boolean;
  /** Ends the resource paths with a slash; documented: without (clause 4.4). */
  readonly apiSlash: boolean;
  /** Names the scopes in a refresh; not documented (clause 4.3). */
  readonly scopeAtRefresh: boolean;
  /** Operations that need a path without the prefix; documented: all have it (clauses 4.4 and 9.1). */
  readonly unversioned: readonly Operation[];
  /** Prefix of the resource paths; documented: `/v2` (clauses 4.4 and 9.1). */
  readonly versionPrefix: '/v2' | '';
  /** JSON pointer to the ids of listed users, `*` for the position; undefined until known (open in clause 2.3). */
  readonly userIdPointer: string | undefined;
  /** The service accepts a refresh before expiry; the document does not promise it. */
  readonly refreshBeforeExpiry: boolean;
}

/** The documented form, or the most common one where the document is silent. */
export const DOCUMENTED: RequestStyle = {
  presentation: { in: 'header', scheme: 'Bearer' },
  clientAuthentication: 'form',
  tokenBody: 'form',
  scopeSeparator: '+',
  sendState: false,
  pkce: false,
  tokenSlash: false,
  apiSlash: false,
  scopeAtRefresh: false,
  unversioned: [],
  versionPrefix: '/v2',
  userIdPointer: undefined,
  refreshBeforeExpiry: true,
};

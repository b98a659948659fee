import { HTTPResponseStatusClass, MatchersV3 } from '@pact-foundation/pact';

/** Which status says that a request is honoured, or refused, is not shown (clauses 4.4 and 7). */

/** Any 2xx. */
export const ANY_SUCCESS = MatchersV3.matchStatus(200, HTTPResponseStatusClass.Success);

/** Any 4xx or 5xx. That a refusal holds no token is what the verification looks at beside the pact. */
export const ANY_REFUSAL = MatchersV3.matchStatus(400, HTTPResponseStatusClass.Error);

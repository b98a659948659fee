import { isSuccess } from '../exchange/exchange.ts';
import type { Operation } from '../flow/requests.ts';
import { NotApplicable } from './outcome.ts';
import type { HeardTokenAnswer } from './token-acts.ts';
import { givenResponse, type ResponseOf } from './token-response.ts';
import type { UserActs } from './user-acts.ts';

/** The scopes that a token response says were granted (RFC 6749 section 5.1), sorted. */
export function grantedScopes(answer: HeardTokenAnswer, of: ResponseOf): readonly string[] {
  const { scope } = givenResponse(answer, of);
  if (typeof scope !== 'string') {
    throw new NotApplicable('scope-visible', 'needs scope-visible: the token response has no field `scope`');
  }
  return scope
    .split(' ')
    .filter((s) => s !== '')
    .sort();
}

/** Which operations an access token is honoured for: where scopes are enforced, they cannot be hidden. */
export async function honouredOperations(users: UserActs, token: string): Promise<readonly Operation[]> {
  const honoured: Operation[] = [];
  for (const operation of ['assign', 'list', 'unassign'] as const) {
    const { response } = await users[operation]({ token }).answer();
    if (isSuccess(response)) honoured.push(operation);
  }
  return honoured;
}

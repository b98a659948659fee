import { isSuccess } from '../exchange/exchange.ts';
import type { Operation } from '../flow/requests.ts';
import type { CheckContext } from './context.ts';
import { NotApplicable } from './outcome.ts';
import type { HeardTokenAnswer } from './token-acts.ts';
import { givenResponse, type ResponseOf } from './token-response.ts';

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

/**
 * Which operations an access token is honoured for: where scopes are enforced, they cannot be hidden. Each operation meets
 * the same assignments whatever the token may do, for a service may refuse what is done already.
 */
export async function honouredOperations(
  { given, users, target }: CheckContext,
  token: string,
): Promise<readonly Operation[]> {
  const [user] = target.users;
  await given.unassigned(user, target.projects[0]);
  const honoured: Operation[] = [];
  for (const operation of ['assign', 'list', 'unassign'] as const) {
    if (operation === 'unassign' && !honoured.includes('assign')) await given.assigned([user]);
    const { response } = await users[operation]({ token }).answer();
    if (isSuccess(response)) honoured.push(operation);
  }
  return honoured;
}

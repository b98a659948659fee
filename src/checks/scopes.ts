import { isSuccess } from '../exchange/exchange.ts';
import type { Answered, TokenAnswer } from '../flow/answers.ts';
import type { Operation } from '../flow/request-style.ts';
import type { CheckContext } from './context.ts';
import { NotApplicable } from './outcome.ts';
import { givenResponse, type ResponseOf } from './token-response.ts';

export function grantedScopes(answer: Answered<TokenAnswer>, of: ResponseOf): readonly string[] {
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
 * Returns the operations for which an access token is honoured. Each operation starts from the same assignments,
 * because a service may refuse what is already done.
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

import { memberOf } from '../../http/answer-body.ts';
import { isSuccess } from '../../http/exchange.ts';
import type { Answered, TokenAnswer } from '../../service/flow/answers.ts';
import type { Operation } from '../../service/flow/requests.ts';
import type { Application } from '../../service/target.ts';
import type { AuthorizeAction } from './authorize-actions.ts';
import type { CheckContext } from './context.ts';
import { Blocked, ConformanceFailure, NotApplicable } from './outcome.ts';
import { givenResponse, type ResponseOf } from './token-response.ts';

/** Requires a grant of each scope value, each at another address: a new scope brings the consent page back. */
export async function expectEachGranted(context: CheckContext, scopes: readonly string[]): Promise<void> {
  const [first, ...others] = context.target.application.redirectUris;
  // Another requirement covers an address that has a query of its own.
  const addresses = [first, ...others.filter((address) => !address.includes('?'))];
  for (const [index, scope] of scopes.entries())
    await expectGranted(context, scope, addresses[index % addresses.length] ?? first);
}

/** Requires a code for a scope value at an address, and a token response with no fewer scopes; without scopes it grants those requested. */
async function expectGranted(
  { authorize, given, token }: CheckContext,
  scope: string,
  redirectUri: string,
): Promise<void> {
  given.case(`scope ${scope}`);
  const address = { redirect_uri: redirectUri };
  const { code } = await authorize.request({ scope, ...address }).expectCode();
  const answer = await token.exchange({ code, ...address }).requireSuccess();
  const granted = memberOf(answer.response, 'scope');
  if (typeof granted !== 'string') return;
  const absent = scope.split(' ').filter((wanted) => !granted.split(' ').includes(wanted));
  if (absent.length === 0) return;
  throw new ConformanceFailure(
    `\`${scope}\` to be granted`,
    `a token response without ${absent.join(' and ')}`,
  );
}

/**
 * Requires no code although `destroy` was granted before. If the tokens of a code name that scope alone, blocks the
 * check: the service dropped the others and need not ask.
 */
export async function expectNotCovered(
  { token }: Pick<CheckContext, 'token'>,
  request: AuthorizeAction,
  application?: Application,
): Promise<void> {
  await request.expectNoCode(async (code) => {
    const { response } = await token.exchange({ code }, application).send();
    if (memberOf(response, 'scope') !== 'destroy') return;
    throw new Blocked(
      'ask for more than was granted before',
      'authorize.scope-combined',
      'the code is good for `destroy` alone',
    );
  });
}

/** Grants scopes to the second application, unless it is the one that asks: that covers nothing for another application. */
export async function grantAnother(
  { given, token, target }: CheckContext,
  asking: Application,
  scope: string,
): Promise<void> {
  const { secondApplication: application } = target;
  if (application === undefined || application.clientId === asking.clientId) return;
  await token.exchange({ code: await given.code({ application, scope }) }, application).send();
}

/**
 * Returns the scopes that a token response names, sorted; undefined without a field `scope`.
 *
 * @param honoured operations that a token of fewer scopes may do
 * @throws NotApplicable if neither the response nor a refused operation shows the scopes
 */
export function grantedScopes(
  answer: Answered<TokenAnswer>,
  of: ResponseOf,
  honoured: readonly Operation[],
): string | undefined {
  const { scope } = givenResponse(answer, of);
  if (typeof scope === 'string') return (scope.match(/\S+/g) ?? []).sort().join(' ');
  if (honoured.length < 3) return undefined;
  throw new NotApplicable(
    'scope-visible',
    'the token response has no field `scope`, and tokens of fewer scopes may do everything',
  );
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
    const { response } = await users[operation]({ token }).send();
    if (isSuccess(response)) honoured.push(operation);
  }
  return honoured;
}

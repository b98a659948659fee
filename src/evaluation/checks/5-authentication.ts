import type { RequirementId } from '../../../generated/ids.ts';
import { atOnce } from '../../http/traffic.ts';
import { ALL_SCOPES } from '../../service/target.ts';
import { check } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { Blocked, ConformanceFailure } from '../language/outcome.ts';
import { placeFor } from '../language/places.ts';

const ALL_REVERSED = ALL_SCOPES.split(' ').toReversed().join(' ');

const OTHER_ORDERS = ['read destroy write', 'write read destroy'];

export const checks = [
  check('scope.granted-scopes-act', async (context) => {
    const { given } = context;
    const pair = await given.pair({ scope: ALL_SCOPES });
    await expectAllowed(context, pair.accessToken);
    await expectAllowed(context, pair.accessToken, 1);
    if (given.mayRefresh) {
      given.case('after a refresh');
      const { accessToken } = await given.refreshed(pair);
      await expectAllowed(context, accessToken, 0, 'refresh.new-token-acts');
    }
    for (const scope of OTHER_ORDERS) {
      given.case(`scopes in the order ${scope}`);
      await expectAllowed(context, await given.freshAccessToken({ scope }));
    }
    await exchangesAtOnce(context);
    if (!given.mayRefresh || !context.target.abilities.has('several-grants')) return;
    given.case('two refreshes at once');
    const chains = [await given.pair({ scope: ALL_SCOPES }), await given.pair({ scope: 'read' })];
    const [whole] = await given.refreshedAtOnce(chains);
    if (whole !== undefined) await expectAllowed(context, whole.accessToken, 0, 'refresh.new-token-acts');
  }),
];

/** @param index of the place among users and projects */
async function expectAllowed(
  { users, target }: CheckContext,
  token: string,
  index = 0,
  owner: RequirementId = 'exchange.token-acts',
): Promise<void> {
  for (const operation of ['assign', 'list', 'unassign'] as const) {
    const { response } = await users[operation]({ ...placeFor(target, index), token }).send();
    const { status } = response;
    if (status === 401) throw new Blocked(operation, owner, `status ${status}`);
    if (status !== 403) continue;
    const wanted = `${operation} to be allowed to a token with all three scopes`;
    throw new ConformanceFailure(wanted, `status ${status}`);
  }
}

/**
 * Exchanges two codes at once, in both orders: each answer must belong to its own code. A service may end a code with the next one, so
 * a refused exchange shows nothing here.
 */
async function exchangesAtOnce(context: CheckContext): Promise<void> {
  const { given, token, target } = context;
  given.case('two exchanges at once');
  const applications = [target.application, target.secondApplication ?? target.application] as const;
  for (const scopes of [['read', ALL_SCOPES] as const, [ALL_REVERSED, 'read'] as const]) {
    const codes: string[] = [];
    for (const [index, scope] of scopes.entries())
      codes.push(await given.code({ scope, application: applications[index] }));
    const answers = await atOnce(
      target,
      codes.map((code, index) => () => token.exchange({ code }, applications[index]).send()),
    );
    const whole = answers[scopes.findIndex((scope) => scope !== 'read')]?.tokens.accessToken;
    if (whole !== undefined) await expectAllowed(context, whole);
  }
}

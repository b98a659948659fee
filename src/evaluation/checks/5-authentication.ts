import type { RequirementId } from '../../../generated/ids.ts';
import { atOnce } from '../../http/traffic.ts';
import { ALL_SCOPES } from '../../service/target.ts';
import { check } from '../language/check.ts';
import { Blocked, ConformanceFailure } from '../language/outcome.ts';
import { type Place, placeFor } from '../language/places.ts';

const ALL_REVERSED = ALL_SCOPES.split(' ').toReversed().join(' ');

const OTHER_ORDERS = ['read destroy write', 'write read destroy'];

export const checks = [
  check('scope.granted-scopes-act', async ({ given, token, users, target }) => {
    const pair = await given.pair({ scope: ALL_SCOPES });
    const expectAllowed = async (accessToken: string, place: Place, tokenOwner: RequirementId) => {
      for (const operation of ['assign', 'list', 'unassign'] as const) {
        const { response } = await users[operation]({ ...place, token: accessToken }).send();
        const { status } = response;
        if (status === 401) throw new Blocked(operation, tokenOwner, `status ${status}`);
        if (status !== 403) continue;
        const wanted = `${operation} to be allowed to a token with all three scopes`;
        throw new ConformanceFailure(wanted, `status ${status}`);
      }
    };
    await expectAllowed(pair.accessToken, placeFor(target, 0), 'exchange.token-acts');
    await expectAllowed(pair.accessToken, placeFor(target, 1), 'exchange.token-acts');
    for (const scope of OTHER_ORDERS)
      await expectAllowed(
        await given.freshAccessToken({ scope }),
        placeFor(target, 0),
        'exchange.token-acts',
      );
    if (given.mayRefresh) {
      const { accessToken } = await given.refreshed(pair);
      await expectAllowed(accessToken, placeFor(target, 0), 'refresh.new-token-acts');
    }
    const applications = [target.application, target.secondApplication ?? target.application] as const;
    // Two exchanges at once, in both orders: each answer must belong to its own code. A service may end a code with the next one,
    // so a refused exchange shows nothing here.
    for (const scopes of [['read', ALL_SCOPES] as const, [ALL_REVERSED, 'read'] as const]) {
      const codes: string[] = [];
      for (const [index, scope] of scopes.entries())
        codes.push(await given.code({ scope, application: applications[index] }));
      const answers = await atOnce(
        target,
        codes.map((code, index) => () => token.exchange({ code }, applications[index]).send()),
      );
      const whole = answers[scopes.findIndex((scope) => scope !== 'read')]?.tokens.accessToken;
      if (whole !== undefined) await expectAllowed(whole, placeFor(target, 0), 'exchange.token-acts');
    }
    if (!given.mayRefresh) return;
    const chains = [await given.pair({ scope: ALL_SCOPES }), await given.pair({ scope: 'read' })];
    const [whole] = await given.refreshedAtOnce(chains);
    if (whole !== undefined)
      await expectAllowed(whole.accessToken, placeFor(target, 0), 'refresh.new-token-acts');
  }),
];

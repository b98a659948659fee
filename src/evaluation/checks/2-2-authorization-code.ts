import { reportsError } from '../../http/answer-body.ts';
import { isSuccess, pastServerError } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import type { GivenPair } from '../../service/flow/flow-steps.ts';
import { OTHER_SPELLINGS } from '../../service/flow/spelling.ts';
import { check, provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import type { Given } from '../language/given.ts';
import { Blocked, ConformanceFailure, ProvenFailure } from '../language/outcome.ts';
import { actWithFirstToken, advanceAMoment, grantsBesideReplay } from '../language/stories.ts';
import type { TokenAction, TokenActions } from '../language/token-actions.ts';
import { bitsOf } from '../language/unguessable.ts';
import type { UserActions } from '../language/user-actions.ts';

const AT_ONCE = 5;

/** A store that is not atomic lets two of them pass now and then. */
const ROUNDS = 3;

/** Codes to compare; enough that a character is rarely equal in all of them by chance. */
const COMPARED = 6;

/** Minimum entropy of a code in bits, as encoded (RFC 6749 section 10.10). */
const LEAST_BITS = 128;

export const checks = [
  provokingCheck('exchange.code-single-use', async (context) => {
    const { given, token } = context;
    await actWithFirstToken(context);
    const code = await given.code();
    const pair = await given.exchanged(code);
    for (const replay of replaysOf(context, code)) await replay.expectRefused();
    // A comparison may cut blanks that the memory of used codes keeps. Who accepts any code has used none twice.
    const unknown = await token.exchange({ code: `${code}x` }).send();
    if (unknown.tokens.accessToken === undefined) await token.exchange({ code: `${code} ` }).expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
    await grantsBesideReplay(context, pair, () => token.exchange({ code }).expectRefused());
    if (given.refreshesAtOnce) {
      const renewed = await given.code();
      await given.refreshed(await given.exchanged(renewed));
      await token.exchange({ code: renewed }).expectRefused();
    }
    const later = await given.code();
    await given.exchanged(later);
    await advanceAMoment(context, () => token.exchange({ code: later }).expectRefused());
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.code-single-use-parallel', async ({ given, token, target }) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const code = await given.code();
      const exchange = () => token.exchange({ code }).send();
      const answers = await atOnce(
        target,
        Array.from({ length: AT_ONCE }, () => exchange),
      );
      const honoured = answers.filter(
        (a) => a.tokens.accessToken !== undefined || a.tokens.refreshToken !== undefined,
      );
      if (honoured.length > 1)
        throw new ProvenFailure(
          `at most one of ${AT_ONCE} exchanges of one code at once to be honoured`,
          'more than one',
          honoured.at(-1)?.response,
        );
    }
    given.case('a replay beside a refresh');
    const used = await given.code();
    const { refreshToken } = await given.exchanged(used);
    const [, replay] = await atOnce(target, [
      () => token.refresh({ refresh_token: refreshToken }).send(),
      () => token.exchange({ code: used }).send(),
    ]);
    if (replay?.tokens.accessToken !== undefined || replay?.tokens.refreshToken !== undefined)
      throw new ProvenFailure(
        'a used code to be refused while its tokens are refreshed',
        'an answer with tokens',
      );
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.code-replay-revokes', async ({ given, token, users }) => {
    const code = await given.code();
    const first = await given.exchanged(code);
    await given.act('list', { token: first.accessToken });
    await token.exchange({ code }).send();
    await expectDead(users, token, given, first, 'the first exchange');
    // A code does not live until tokens expire, and using a dead one is no replay.
    if (!given.refreshesAtOnce) return;
    // The tokens of a later refresh come from the same code.
    const another = await given.code();
    const second = await given.refreshed(await given.exchanged(another));
    const { response } = await users.list({ token: second.accessToken }).send();
    if (!isSuccess(response))
      throw new Blocked('list', 'refresh.new-token-acts', `status ${response.status} to the new token`);
    await token.exchange({ code: another }).send();
    await expectDead(users, token, given, second, 'a refresh after the first exchange');
  }),

  check('authorize.code-unguessable', async ({ given }) => {
    const codes: string[] = [];
    while (codes.length < COMPARED) codes.push(await given.code());
    if (new Set(codes).size < codes.length)
      throw new ConformanceFailure('distinct codes', 'a code that was issued before');
    for (const code of codes) {
      const bits = bitsOf(code, codes);
      if (bits < LEAST_BITS) {
        throw new ConformanceFailure(
          `codes of at least ${LEAST_BITS} bits as encoded`,
          `codes of at most ${bits} bits`,
        );
      }
    }
  }),
];

/** Exchanges of a used code that differ in their bytes, or come from another application. None is sent at the same time. */
function replaysOf({ token, target }: CheckContext, code: string): readonly TokenAction[] {
  const { application, secondApplication } = target;
  const [, address] = application.redirectUris;
  return [
    token.exchange({ code }),
    token.exchange({ code }),
    ...(address === undefined ? [] : [token.exchange({ code, redirect_uri: address })]),
    ...OTHER_SPELLINGS.map((spelling) => token.spelled(spelling).exchange({ code })),
    ...(secondApplication === undefined ? [] : [token.exchange({ code }, secondApplication)]),
  ];
}

async function expectDead(
  users: UserActions,
  token: TokenActions,
  given: Given,
  { accessToken, refreshToken }: GivenPair,
  of: string,
): Promise<void> {
  const listed = await pastServerError(() => users.list({ token: accessToken }).send());
  if (isSuccess(listed.response) && !reportsError(listed.response))
    throw new ConformanceFailure(
      `the access token of ${of} to be refused after the code was sent again`,
      'the list',
    );
  if (!given.mayRefresh) return;
  await given.waitUntilRefreshIsAllowed();
  const refreshed = await pastServerError(() => token.refresh({ refresh_token: refreshToken }).send());
  if (refreshed.tokens.accessToken !== undefined)
    throw new ConformanceFailure(
      `the refresh token of ${of} to be refused after the code was sent again`,
      'new tokens',
    );
}

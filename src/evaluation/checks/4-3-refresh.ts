import { memberText } from '../../http/answer-secrets.ts';
import { isSuccess } from '../../http/exchange.ts';
import type { Answered, TokenAnswer } from '../../service/flow/answers.ts';
import { OMITTED } from '../../service/flow/requests.ts';
import { AS_DOCUMENTED, OTHER_SPELLINGS, type Spelling } from '../../service/flow/spelling.ts';
import { ALL_SCOPES } from '../../service/target.ts';
import { check, provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { Blocked, ConformanceFailure, requireAbility } from '../language/outcome.ts';
import { grantedScopes, honouredOperations } from '../language/scopes.ts';
import { answerInBrief, type TokenActions } from '../language/token-actions.ts';
import { expectBothTokens } from '../language/token-response.ts';

/** Refreshes in a row; enough to overflow a one-digit counter. */
const CHAIN = 20;

export const checks = [
  check('refresh.token-response', async ({ given, token }) => {
    const fresh = async (spelling: Spelling) =>
      token
        .spelled(spelling)
        .refresh({ refresh_token: await given.refreshTokenNow() })
        .expectSuccess();
    // A refused request replaces nothing (clause 2.1 rule 1): its refresh token is still that of the latest response.
    const kept = await refreshAfterRefused(token, await given.refreshTokenNow());
    let last: Answered<TokenAnswer> | undefined;
    for (const spelling of [AS_DOCUMENTED, ...OTHER_SPELLINGS]) {
      given.case(spelling.name ?? 'as documented');
      // A refreshed token may be refused for another reason than the request's form; a fresh pair avoids that.
      const refresh_token = given.refreshesAtOnce ? last?.tokens.refreshToken : undefined;
      const sent = refresh_token && (await token.spelled(spelling).refresh({ refresh_token }).send());
      const next = last === undefined ? kept : sent;
      const answer = next && isRefreshed(next) ? next : await fresh(spelling);
      expectBothTokens(answer);
      if (last === undefined && kept !== undefined && isRefusal(kept))
        throw new ConformanceFailure(
          'a refresh token to be good after a refused request without grant_type',
          answerInBrief(kept),
        );
      last = answer;
    }
  }),

  check('refresh.chain', async ({ given, target, token, users }) => {
    const other = target.secondApplication;
    if (other !== undefined) {
      given.case('the second application, twice in a row');
      const first = await given.refreshed(await given.pair({ application: other }), other);
      await given.waitUntilRefreshIsAllowed();
      await token.refresh({ refresh_token: first.refreshToken }, other).expectSuccess();
    }
    given.case(`${CHAIN} times in a row`);
    let { refreshToken } = await given.refreshed(await given.pair());
    for (let round = 2; round <= CHAIN; round += 1) {
      await given.waitUntilRefreshIsAllowed();
      const { tokens } = await token.refresh({ refresh_token: refreshToken }).expectSuccess();
      if (tokens.refreshToken === undefined)
        throw new ConformanceFailure(
          `a refresh_token with refresh ${round} of a chain`,
          'a success without refresh_token',
        );
      refreshToken = tokens.refreshToken;
      // A refusal breaks `refresh.new-token-acts`, because the monitor evaluates every exchange.
      if (tokens.accessToken !== undefined) await users.list({ token: tokens.accessToken }).send();
    }
  }),

  provokingCheck('refresh.bound-to-client', async ({ given, token, target }) => {
    const other = requireAbility('second-application', target.secondApplication);
    const first = await given.pair();
    const renewed = given.refreshesAtOnce ? [await given.refreshed(await given.pair())] : [];
    const twin = await given.pair();
    const foreign = await given.pair({ application: other });
    const foreignTwin = await given.pair({ application: other });
    await given.waitUntilRefreshIsAllowed();
    for (const { refreshToken } of [first, ...renewed])
      await token.refresh({ refresh_token: refreshToken }, other).expectRefused();
    await token.refresh({ refresh_token: foreign.refreshToken }).expectRefused();
    await token.refresh({ refresh_token: twin.refreshToken }).expectTwinAccepted();
    await token.refresh({ refresh_token: foreignTwin.refreshToken }, other).expectTwinAccepted();
  }),

  provokingCheck('refresh.scope-not-widened', async (context) => {
    const { given, token } = context;
    await given.listed();
    const first = await given.pair({ scope: 'read' });
    const allowed = await honouredOperations(context, first.accessToken);
    const twin = await given.pair({ scope: 'read' });
    await given.waitUntilRefreshIsAllowed();
    const asked = { refresh_token: first.refreshToken, scope: ALL_SCOPES };
    const wider = await token.refresh(asked).send();
    if (wider.tokens.accessToken === undefined) {
      await token.refresh({ refresh_token: twin.refreshToken }).requireSuccess();
      return;
    }
    const granted = grantedScopes(wider, 'refresh', allowed);
    const honoured = await honouredOperations(context, wider.tokens.accessToken);
    const more = honoured.filter((operation) => !allowed.includes(operation));
    if (['', 'read', undefined].includes(granted) && more.length === 0) return;
    const named = granted === undefined ? '' : ` with the scope ${memberText('scope', granted)}`;
    const got = `a token${named}${more.length === 0 ? '' : ` that may ${more.join(' and ')}`}`;
    throw new ConformanceFailure('no wider scope than was granted (read)', got);
  }),

  check('refresh.scope-kept', async (context) => {
    for (const scope of ['read write', 'read']) {
      context.given.case(scope);
      await expectScopeKept(context, scope);
    }
  }),
];

async function expectScopeKept(context: CheckContext, wanted: string): Promise<void> {
  const { given, token } = context;
  // Otherwise the owner would authorize between the exchange and the refresh.
  await given.listed();
  const first = await token.exchange({ code: await given.code({ scope: wanted }) }).requireSuccess();
  const { accessToken = '', refreshToken } = first.tokens;
  if (refreshToken === undefined)
    throw new Blocked('obtain a refresh token', 'exchange.token-response', 'the response has none');
  const allowed = await honouredOperations(context, accessToken);
  const scope = grantedScopes(first, 'exchange', allowed);
  expectOperationsKept(allowed, await honouredOperations(context, accessToken));
  let latest: string | undefined = refreshToken;
  // The rotated token may have lost the scopes that the first one had.
  for (let round = 1; latest !== undefined && round <= (given.refreshesAtOnce ? 2 : 1); round += 1) {
    await given.waitUntilRefreshIsAllowed();
    const owner = round === 1 ? 'refresh.token-response' : 'refresh.chain';
    const next = await token.refresh({ refresh_token: latest }).requireSuccess(owner);
    latest = next.tokens.refreshToken;
    const kept = grantedScopes(next, 'refresh', allowed);
    if (scope !== undefined && kept !== undefined && kept !== scope)
      throw new ConformanceFailure(
        `the scope that was granted (${memberText('scope', scope)})`,
        `the scope ${memberText('scope', kept)}`,
      );
    expectOperationsKept(allowed, await honouredOperations(context, next.tokens.accessToken ?? ''));
  }
}

function expectOperationsKept(allowed: readonly string[], honoured: readonly string[]): void {
  const more = honoured.filter((operation) => !allowed.includes(operation));
  if (more.length > 0)
    throw new ConformanceFailure('the scope that was granted', `a token that may also ${more.join(' and ')}`);
  const lost = allowed.filter((operation) => !honoured.includes(operation));
  if (lost.length === 0) return;
  if (lost.includes('list')) throw new Blocked('list', 'refresh.new-token-acts', 'refused to the new token');
  throw new ConformanceFailure(
    'the scope that was granted',
    `a token that may no longer ${lost.join(' and ')}`,
  );
}

function isRefreshed(answer: Answered<TokenAnswer>): boolean {
  if (!isSuccess(answer.response)) return false;
  try {
    expectBothTokens(answer);
    return true;
  } catch (error) {
    if (error instanceof ConformanceFailure) return false;
    throw error;
  }
}

/** Refreshes with a token already sent in wrong requests; returns undefined if one of them was not refused. */
async function refreshAfterRefused(
  token: TokenActions,
  refresh_token: string,
): Promise<Answered<TokenAnswer> | undefined> {
  // A wrong secret or client may be a theft, and end the token (RFC 9700 section 4.14.2).
  const refused = await token.refresh({ refresh_token, grant_type: OMITTED }).send();
  if (!isRefusal(refused)) return undefined;
  return token.refresh({ refresh_token }).send();
}

function isRefusal({ response, tokens }: Answered<TokenAnswer>): boolean {
  const { accessToken, refreshToken } = tokens;
  return response.status < 500 && accessToken === undefined && refreshToken === undefined;
}

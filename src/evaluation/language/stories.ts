import { atOnce } from '../../http/traffic.ts';
import { reaches } from '../../service/agent/user-agent.ts';
import type { TokenAnswer } from '../../service/flow/answers.ts';
import { advanceOrSleep } from '../../service/flow/clean-up.ts';
import { type GivenPair, orStopped } from '../../service/flow/flow-steps.ts';
import {
  type AuthorizeVisit,
  maySignInElsewhere,
  queryCode,
  type WantedGrant,
} from '../../service/flow/service-client.ts';
import { ALL_SCOPES, type Application, type DocumentedScope } from '../../service/target.ts';
import type { AuthorizeAction } from './authorize-actions.ts';
import type { CheckContext } from './context.ts';
import { ConformanceFailure } from './outcome.ts';
import { expectNotCovered, grantAnother, honouredOperations } from './scopes.ts';
import type { TokenAction } from './token-actions.ts';

/** Stories that a check tells for other requirements too: the monitor evaluates every answer. */

/**
 * Brings about what changes no code and no token that an application was given before: the owner denies, where the consent page
 * can be had, and a request without a token is refused.
 */
export async function unrelatedRefusals({ authorize, given, users, target }: CheckContext): Promise<void> {
  if (target.abilities.has('fresh-consent')) {
    await given.target.forgetConsent?.();
    await authorize.request().denied().outcome();
  }
  await users.list({ token: { none: true } }).send();
}

/**
 * The owner signs in in another browser, where two tabs have requests of the application open: for all scopes, and for one scope
 * with another address.
 *
 * @returns a token of the request that the sign-in continued; undefined where the addresses do not tell which one, or without
 * sign-ins left
 */
export async function tokenBesideOtherTab(context: CheckContext): Promise<string | undefined> {
  const { authorize, given, token, target } = context;
  if (!maySignInElsewhere(given.session)) return undefined;
  const [wide, ...others] = target.application.redirectUris;
  const narrow = others.at(-1) ?? wide;
  const outcome = await authorize.request().elsewhere({ redirect_uri: narrow, scope: 'read' }).outcome();
  const code = queryCode(outcome);
  if (code === undefined || reaches(outcome, wide) === reaches(outcome, narrow)) return undefined;
  const redirect_uri = reaches(outcome, wide) ? wide : narrow;
  // Another requirement covers an address whose codes the service refuses.
  return (await token.exchange({ code, redirect_uri }).send()).tokens.accessToken;
}

/**
 * Grants one scope, grants everything to another application, and grants another scope just before a denial. None of it grants
 * the application all scopes, nor gives more to a token of one scope. Last, grants one scope while other tabs of the browser have
 * a wider request open: where the sign-in continues the narrow one, the wide one is not granted.
 *
 * @param request of the application, for all scopes
 */
export async function expectGrantsToStayApart(
  context: CheckContext,
  request: () => AuthorizeAction,
  application: Application,
): Promise<void> {
  const { given, token, users, target } = context;
  const exchanged = (code: string) => token.exchange({ code }, application).send();
  const listedFor = async ({ tokens: { accessToken } }: TokenAnswer) =>
    accessToken && (await users.list({ token: accessToken }).send()).response.status;
  // Services remember the scopes of an issued token.
  const alone = await exchanged(await given.code({ scope: 'destroy', application }));
  await expectNotCovered(context, request().left(), application);
  await grantAnother(context, application, 'destroy');
  const isNarrow = (await listedFor(alone)) === 403;
  const expectNarrow = async (answer: TokenAnswer, why: string, list = () => listedFor(answer)) => {
    if (isNarrow && (await list()) === 200)
      throw new ConformanceFailure('a token of `destroy`, which may not list', `one that may, ${why}`);
  };
  if (isNarrow) {
    await users.unassign({ token: alone.tokens.accessToken }).send();
    await expectNarrow(alone, 'after a request that it may send');
    // A token of its own would take a grant of all scopes.
    const whole = () => users.list({ token: given.session.lock.token ?? '' }).send();
    const beside = async () => (await atOnce(target, [whole, () => listedFor(alone), whole]))[1];
    await expectNarrow(alone, 'beside requests with all scopes', beside);
  }
  await grantAnother(context, application, ALL_SCOPES);
  await expectNarrow(alone, 'since another application was granted all scopes');
  await exchanged(await given.code({ scope: 'read', application }));
  await request().denied().expectNoCode();
  await request().left().expectNoCode();
  // At one address, the scopes alone tell the two requests apart.
  const [own] = application.redirectUris;
  const shown = await codeOfShownRequest(context, { ...application, redirectUris: [own] }, 'destroy');
  if (shown !== undefined)
    await expectNarrow(
      await exchanged(shown),
      'of a page that was open while another tab asked for all scopes',
    );
  const beside = await codeBesideWiderRequest(context, application, 'destroy');
  if (beside === undefined) return;
  await expectNarrow(await exchanged(beside), 'granted while other tabs had a request for all scopes open');
  await expectNotCovered(context, request().left(), application);
}

/** Returns undefined without sign-ins or a second address, and where the sign-in continues the wider request. */
async function codeBesideWiderRequest(
  { authorize, given }: CheckContext,
  { clientId: client_id, redirectUris }: Application,
  scope: DocumentedScope,
): Promise<string | undefined> {
  const [narrow, ...others] = redirectUris;
  const wide = others.at(-1);
  if (wide === undefined || !maySignInElsewhere(given.session)) return undefined;
  const outcome = await authorize
    .request({ client_id, redirect_uri: narrow, scope })
    .elsewhere({ client_id, redirect_uri: wide, scope: ALL_SCOPES })
    .outcome();
  return reaches(outcome, wide) ? undefined : queryCode(outcome);
}

/**
 * Uses the replayed grant, and one of another application around a further replay, which must not revoke it (clauses 2.1 and 4.3).
 *
 * @param pair of the code's first exchange
 */
export async function grantsBesideReplay(
  { given, token, users, target }: CheckContext,
  pair: GivenPair,
  replay: () => Promise<unknown>,
): Promise<void> {
  await token.refresh({ refresh_token: pair.refreshToken }).send();
  await users.list({ token: pair.accessToken }).send();
  const { secondApplication: application } = target;
  const foreign = application && (await given.pair({ application }));
  await replay();
  if (foreign === undefined) return;
  await users.list({ token: foreign.accessToken }).send();
  if (given.refreshesAtOnce) await token.refresh({ refresh_token: foreign.refreshToken }, application).send();
}

/** Seconds: longer than most caches and queues of a service keep something. Really waited on a target without a clock. */
export const A_MOMENT = 12;

/** Grants in between: a service may keep only so many tokens of one owner and application. */
const FURTHER_GRANTS = 8;

/** On a clock that can be moved, seconds one after the other. */
const ON_A_CLOCK = [25, 275, 400];

/**
 * Uses the token of the smoke flow, which is idle since then and older than all other grants. Tell it before the first misuse. A clock
 * that moves has its own checks of lifetimes.
 */
export async function actWithFirstToken({ given, users, target }: CheckContext): Promise<void> {
  const { token } = given.session.lock;
  if (token !== undefined && target.clock === undefined) await users.list({ token }).send();
}

/** Returns exchanges that the service must refuse, each of a code of its own: it may look at a new code more closely than at an old one. */
async function agedCodes({ given, token, target }: CheckContext): Promise<TokenAction[]> {
  const { application, secondApplication } = target;
  const [, address] = application.redirectUris;
  return [
    ...(address === undefined ? [] : [token.exchange({ code: await given.code(), redirect_uri: address })]),
    ...(secondApplication === undefined
      ? []
      : [token.exchange({ code: await given.code() }, secondApplication)]),
  ];
}

/**
 * Lets time pass while the owner has the consent page open, and where sign-ins are left the sign-in page in another browser, both
 * for the last redirect address: a service that forgets it takes the first. The monitor evaluates what follows.
 */
async function whilePagesAreOpen(context: CheckContext, advance: () => Promise<void>): Promise<void> {
  const { given, target } = context;
  const wanted = { redirectUri: target.application.redirectUris.at(-1) ?? '' };
  const signingIn = () => whileOpen(context, 'sign-in', wanted, advance);
  await whileOpen(context, 'consent', wanted, maySignInElsewhere(given.session) ? signingIn : advance);
}

async function whileOpen(
  context: CheckContext,
  page: 'consent' | 'sign-in',
  wanted: WantedGrant,
  advance: () => Promise<void>,
): Promise<void> {
  const { given } = context;
  let hasPassed = false;
  const pause: AuthorizeVisit['pause'] = async (shown) => {
    if (shown !== page) return;
    hasPassed = true;
    await advance();
  };
  const code = await orStopped(given.code(wanted, page === 'sign-in' ? {} : undefined, pause));
  if (!hasPassed) return advance();
  const used = async () =>
    typeof code === 'string' &&
    honouredOperations(context, (await given.exchanged(code, wanted)).accessToken);
  await orStopped(used());
}

/**
 * Lets a moment pass, and uses afterwards what was there before: an idle pair, one that was refreshed twice, both older than other
 * grants, and users who were assigned again. The monitor evaluates their answers, because each belongs to another requirement.
 *
 * @param then called after each wait
 */
export async function advanceAMoment(context: CheckContext, then: () => Promise<unknown>): Promise<void> {
  const { given, token, users, target } = context;
  const aged = await agedCodes(context);
  const aside = async () => (given.refreshesAtOnce ? given.pairAside() : undefined);
  const [idle, old] = [await aside(), await aside()];
  const renewed = old && (await given.refreshed(await given.refreshed(old)));
  for (let more = 0; idle !== undefined && more < FURTHER_GRANTS; more += 1) await given.pairAside();
  const [, twice] = target.users;
  for (const user of twice === undefined ? [] : [twice, twice]) await users.assign({ user }).send();
  await users.assign().send();
  await users.unassign().send();
  await users.assign().send();
  for (const seconds of target.clock === undefined ? [A_MOMENT] : ON_A_CLOCK) {
    await whilePagesAreOpen(context, () => advanceOrSleep(target, seconds));
    for (const pair of [idle, renewed])
      if (pair !== undefined) await users.list({ token: pair.accessToken }).send();
    await then();
    for (const action of aged.splice(0)) await action.send();
    // A replay may have ended the check's own token.
    given.forgetToken();
  }
  for (const pair of [idle, renewed])
    if (pair !== undefined) await token.refresh({ refresh_token: pair.refreshToken }).send();
}

/**
 * Returns the code of a page that the owner decides after another tab has opened a request for all scopes at another address. The
 * code belongs to the page that is shown; a service may give none.
 */
export async function codeOfShownRequest(
  { authorize }: Pick<CheckContext, 'authorize'>,
  { clientId: client_id, redirectUris: [own, other = own] }: Application,
  scope: string,
): Promise<string | undefined> {
  const further = authorize.request({ client_id, redirect_uri: other, scope: ALL_SCOPES }).left();
  const outcome = await authorize
    .request({ client_id, redirect_uri: own, scope })
    .overtaken(() => further.outcome())
    .outcome();
  if (outcome.decided && queryCode(outcome) !== undefined && other !== own && reaches(outcome, other))
    throw new ConformanceFailure(
      'a code for the request that the owner was shown',
      'one for the request that another tab opened meanwhile',
    );
  return queryCode(outcome);
}

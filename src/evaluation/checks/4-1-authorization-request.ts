import { memberOf } from '../../http/answer-body.ts';
import { reaches } from '../../service/agent/user-agent.ts';
import type { Answered, TokenAnswer } from '../../service/flow/answers.ts';
import { codesIn, showsConsent } from '../../service/flow/service-client.ts';
import { AS_DOCUMENTED, AUTHORIZATION_SPELLINGS, spellingFor } from '../../service/flow/spelling.ts';
import { lostParameter } from '../../service/redirect-address.ts';
import { ALL_SCOPES, SCOPES } from '../../service/target.ts';
import {
  expectDenialTold,
  expectFramingForbidden,
  expectNoDelivery,
  expectNothingBesideCode,
  expectState,
  outcomeText,
  STATES,
  withoutConsentPage,
} from '../language/authorize-outcome.ts';
import { check, provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { changesAt, consentPlace } from '../language/create-application.ts';
import { Blocked, ConformanceFailure, NotApplicable } from '../language/outcome.ts';
import { authorizationRefusalCheck, expectNoCodes, unauthorizedAddressesOf } from '../language/refused.ts';
import { expectEachGranted, honouredOperations } from '../language/scopes.ts';
import { actWithFirstToken, codeOfShownRequest, expectGrantsToStayApart } from '../language/stories.ts';
import { answerInBrief, isRefusedBlank } from '../language/token-actions.ts';
import { isUnauthorized } from '../requests/wrong-requests.ts';

const COMBINATIONS = [
  'read write',
  'read destroy',
  'write destroy',
  'write read',
  'destroy write read',
  ALL_SCOPES,
] as const;

const SPELLINGS = [AS_DOCUMENTED, ...AUTHORIZATION_SPELLINGS];

const DOCUMENTED = ['client_id', 'redirect_uri', 'response_type', 'scope'] as const;

/** A second value for each parameter, wrong by itself, so that a service that uses it is detected. */
const OTHER_VALUE = {
  client_id: 'unknown',
  redirect_uri: 'https://attacker.invalid/',
  response_type: 'token',
  scope: 'unknown',
} as const satisfies Record<(typeof DOCUMENTED)[number], string>;

/** Blocks the check unless codes are issued, both with the consent page and without it. */
async function codesCome({ given }: CheckContext): Promise<void> {
  await given.pair();
  await given.code();
}

function separates(id: 'authorize.scope-plus' | 'authorize.scope-percent20', space: '+' | '%20') {
  return check(id, async (context) => {
    const { authorize, token } = context;
    await codesCome(context);
    for (const scope of ['read write', ALL_SCOPES]) {
      context.given.case(`scope ${scope}`);
      const documented = await authorize.request({ scope }).requireSuccess('authorize.scope-combined');
      const first = await token.exchange({ code: documented.code }).requireSuccess();
      const before = scopeOf(first);
      const { code } = await authorize.request({ scope }).withSpaceAs(space).expectCode();
      const second = await token.exchange({ code }).requireSuccess();
      const now = scopeOf(second);
      // A response without scopes grants those requested (RFC 6749 section 5.1).
      if (before !== now && before !== '' && now !== '')
        throw new ConformanceFailure(`the scopes "${before}", as before`, `the scopes "${now}"`);
      if (scope === ALL_SCOPES) await expectSameActs(context, first, second);
    }
  });
}

export const checks = [
  check('authorize.redirects-with-code', async ({ authorize, token, target }) => {
    const { redirectUris } = target.application;
    for (const [index, redirect_uri] of [...redirectUris, redirectUris[0], redirectUris[0]].entries()) {
      const request = authorize.request({ redirect_uri });
      const { code, outcome } = await request.spelled(SPELLINGS[index] ?? AS_DOCUMENTED).expectCode();
      if (!reaches(outcome, redirect_uri))
        throw new ConformanceFailure(`a redirect to ${redirect_uri}`, outcomeText(outcome));
      expectNothingBesideCode(outcome);
      // Services remember the consent once tokens are issued, and then redirect at once.
      const answer = await token.exchange({ code, redirect_uri }).send();
      if (isRefusedBlank(answer))
        throw new ConformanceFailure('a code that can be exchanged as it is read', answerInBrief(answer));
    }
  }),

  provokingCheck('authorize.grant-needed', async (context) => {
    const { authorize, given, target } = context;
    await given.target.forgetConsent?.();
    for (const scope of [...SCOPES, ALL_SCOPES]) await authorize.request({ scope }).left().expectNoCode();
    await authorize.request().byHead().expectNoCode();
    await expectGrantsToStayApart(context, () => authorize.request(), target.application);
    await actWithFirstToken(context);
    await codeOfShownRequest(context, target.application, ALL_SCOPES);
    await authorize.request().expectTwinAccepted();
  }),

  provokingCheck('authorize.redirect-uri-authorized', async ({ authorize, given, target }) => {
    const addresses = unauthorizedAddressesOf(target);
    await given.target.forgetConsent?.();
    const [first = '', ...others] = addresses;
    await authorize.request({ redirect_uri: first }).expectNoCode();
    for (const [index, redirect_uri] of others.entries())
      await authorize.request({ redirect_uri }).spelled(spellingFor(index)).expectNoCode();
    // Whichever of two addresses a service takes, the code goes to an authorized one.
    for (const place of ['first', 'last'] as const) {
      const outcome = await authorize.request().beside('redirect_uri', first, place).outcome();
      if (codesIn(outcome).length > 0) expectNoDelivery(outcome, first, target.application.redirectUris);
    }
    const { secondApplication: other } = target;
    if (other !== undefined && isUnauthorized(target.application.redirectUris[0], other))
      await authorize.request({ client_id: other.clientId }).expectNoCode();
    // A service that remembers consent must check the address too, although it does not ask.
    await given.pair();
    await authorize.request({ redirect_uri: first }).expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.scope-each', async (context) => {
    await codesCome(context);
    await expectEachGranted(context, SCOPES);
  }),

  check('authorize.scope-combined', async (context) => {
    await codesCome(context);
    await expectEachGranted(context, COMBINATIONS);
  }),

  separates('authorize.scope-plus', '+'),

  authorizationRefusalCheck('authorize.scope-unknown-refused', 'read'),

  separates('authorize.scope-percent20', '%20'),

  check('authorize.state-echoed', async ({ authorize }) => {
    await authorize.request({ state: 'plain' }).requireSuccess();
    for (const state of STATES) {
      const { outcome } = await authorize.request({ state }).expectCode();
      expectState(outcome.caught, state);
    }
  }),

  provokingCheck('authorize.state-echoed-on-denial', async ({ authorize, given }) => {
    await given.target.forgetConsent?.();
    for (const state of STATES) {
      const outcome = await authorize.request({ state }).denied().asDecided();
      expectState(outcome.caught, state);
    }
  }),

  provokingCheck('authorize.denial-redirects', async ({ authorize, given }) => {
    await given.target.forgetConsent?.();
    expectDenialTold(await authorize.request().denied().asDecided());
  }),

  provokingCheck('authorize.bad-redirect-uri-not-followed', async ({ authorize, given, target }) => {
    await given.target.forgetConsent?.();
    for (const [index, redirect_uri] of unauthorizedAddressesOf(target).entries()) {
      const denied = await authorize.request({ redirect_uri }).denied().outcome();
      expectNoDelivery(denied, redirect_uri, target.application.redirectUris);
      // The order of error and address check does not depend on the address, so a few addresses are enough.
      if (index % 5 !== 0) continue;
      const broken = await authorize.request({ redirect_uri, scope: 'unknown' }).outcome();
      expectNoDelivery(broken, redirect_uri, target.application.redirectUris);
    }
    await authorize.request().expectTwinAccepted();
  }),

  provokingCheck('authorize.redirect-uri-exact', async (context) => {
    await codesCome(context);
    await expectNoCodes('authorize.redirect-uri-exact', context);
  }),

  check('authorize.redirect-query-kept', async ({ authorize, target }) => {
    const withQuery = target.application.redirectUris.find((uri) => uri.includes('?'));
    if (withQuery === undefined) throw new NotApplicable('second-redirect-uri', 'one that has a query');
    const { outcome } = await authorize.request({ redirect_uri: withQuery }).requireSuccess();
    if (!reaches(outcome, withQuery))
      throw new Blocked('reach the address', 'authorize.redirects-with-code', outcomeText(outcome));
    const lost = lostParameter(withQuery, new URL(outcome.caught?.url ?? '').searchParams);
    if (lost !== undefined)
      throw new ConformanceFailure(
        `the query parameter \`${lost}\` of the redirect address to be kept`,
        outcomeText(outcome),
      );
  }),

  check('authorize.duplicate-parameter', async ({ authorize }) => {
    for (const name of DOCUMENTED) {
      await authorize.request().repeating(name).expectNoCode();
      for (const place of ['first', 'last'] as const)
        await authorize.request().beside(name, OTHER_VALUE[name], place).expectNoCode();
    }
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.unknown-parameter-ignored', async ({ authorize, given }) => {
    await given.code();
    await authorize.request({ unknown_parameter: 'x' }).expectCode();
  }),

  check('authorize.not-framable', async (context) => {
    const { authorize, given } = context;
    await given.target.forgetConsent?.();
    const stranger = await authorize.request().byStranger().outcome();
    const owner = await authorize.request().left().outcome();
    expectFramingForbidden([...stranger.pages, ...owner.pages]);
    if (showsConsent(owner)) return;
    const asked = await authorize
      .request(changesAt(await consentPlace(context)))
      .left()
      .outcome();
    if (!showsConsent(asked)) throw withoutConsentPage(asked);
    expectFramingForbidden(asked.pages);
  }),

  check('authorize.no-307', async (context) => {
    const { authorize, given } = context;
    await given.target.forgetConsent?.();
    let { outcome } = await authorize.request().requireSuccess();
    if (!outcome.decided)
      ({ outcome } = await authorize.request(changesAt(await consentPlace(context))).requireSuccess());
    if (!outcome.decided || outcome.caught === undefined) throw withoutConsentPage(outcome);
    // If another page follows the form, the redirect's status cannot repeat the form.
    const { status, form } = outcome.caught;
    if (form !== 'repeated') return;
    throw new ConformanceFailure(
      'a redirect that does not repeat the form (not 307, not 308)',
      `status ${status ?? '307 or 308'}`,
    );
  }),
];

/** Requires that the second token may do what the first may: a response need not name the scopes that it grants. */
async function expectSameActs(
  context: CheckContext,
  first: Answered<TokenAnswer>,
  second: Answered<TokenAnswer>,
): Promise<void> {
  const acts = async ({ tokens }: Answered<TokenAnswer>) =>
    honouredOperations(context, tokens.accessToken ?? '');
  const [wanted, got] = [await acts(first), await acts(second)];
  if (wanted.every((operation) => got.includes(operation))) return;
  throw new ConformanceFailure(
    `a token that may ${wanted.join(', ')}`,
    `one that may ${got.join(', ') || 'nothing'}`,
  );
}

function scopeOf({ response }: Answered<TokenAnswer>): string {
  const scope = memberOf(response, 'scope');
  return typeof scope === 'string' ? scope.split(' ').sort().join(' ') : '';
}

import {
  encodeForm,
  exchangeParameters,
  type Parameters,
  refreshParameters,
} from '../../service/flow/requests.ts';
import { AS_DOCUMENTED, OTHER_SPELLINGS } from '../../service/flow/spelling.ts';
import { check, provokingCheck } from '../language/check.ts';
import { ConformanceFailure, requireAbility } from '../language/outcome.ts';
import { expectTokenRequestsRefused, type WrittenVariant } from '../language/refused.ts';
import { honouredOperations } from '../language/scopes.ts';
import { tokenBesideOtherTab, unrelatedRefusals } from '../language/stories.ts';
import { asClient } from '../requests/wrong-requests.ts';

export const checks = [
  check('exchange.form-encoded', async (context) => {
    const { given, token, target } = context;
    const { secondApplication: application } = target;
    for (const spelling of [AS_DOCUMENTED, ...OTHER_SPELLINGS]) {
      const code = await given.code();
      // The code waits while the same owner authorizes another application.
      if (spelling === AS_DOCUMENTED && application !== undefined) await given.code({ application });
      await token.spelled(spelling).exchange({ code }).expectSuccess();
    }
    given.case('the newer of two codes');
    // A service may know only the newest code, so another one proves nothing.
    const [older, newest] = [await given.code(), await given.code()];
    if (older === newest) await token.exchange({ code: older }).send();
    await token.exchange({ code: newest }).expectSuccess();
    given.case('a code that waits during refusals');
    const pair = await given.pairAside();
    const ofOther = application && (await given.freshAccessToken({ application }));
    // Last, because a service may know only the last code of an application.
    const waiting = await given.code();
    await unrelatedRefusals(context);
    // The monitor evaluates these, because the requirements are others.
    if (pair !== undefined) {
      await context.users.list({ token: pair.accessToken }).send();
      await token.refresh({ refresh_token: pair.refreshToken }).send();
      if (ofOther !== undefined) await context.users.list({ token: ofOther }).send();
    }
    await token.exchange({ code: waiting }).expectSuccess();
    if (application === undefined) return;
    given.case('a sign-in in another browser, while another tab has a request for another address');
    const waitingOther = await given.code({ application });
    const besideTab = await tokenBesideOtherTab(context);
    given.case('after a sign-in in another browser');
    await token.exchange({ code: waitingOther }, application).expectSuccess();
    // The monitor evaluates these, too.
    if (besideTab !== undefined) await honouredOperations(context, besideTab);
  }),

  provokingCheck('exchange.redirect-uri-same-among-authorized', async ({ given, token, target }) => {
    const [first, second = ''] = target.application.redirectUris;
    await token.exchange({ code: await given.code(), redirect_uri: second }).expectRefused();
    await token
      .exchange({ code: await given.code({ redirectUri: second }), redirect_uri: first })
      .expectRefused();
    await token
      .exchange({ code: await given.code({ redirectUri: second }), redirect_uri: second })
      // The address got a code, so it is authorized: no setting explains a refusal.
      .expectTwinAccepted(
        new ConformanceFailure(
          'a code to be exchanged with the authorized redirect address that it was requested with',
          'a refusal with the second address',
        ),
      );
  }),

  provokingCheck('exchange.code-bound-to-client', async ({ authorize, given, token, target }) => {
    const other = requireAbility('second-application', target.secondApplication);
    const code = await given.code();
    given.case('a code of the first application, sent by the second');
    // A service may compare a code with the application that asked last.
    const [redirect_uri] = other.redirectUris;
    await authorize.request({ client_id: other.clientId, redirect_uri }).left().outcome();
    await token.exchange({ code, ...asClient(other) }).expectRefused();
    await token.exchange({ code: await given.code() }, other).expectRefused();
    const foreign = { application: other };
    given.case('a code of the second application, sent by the first');
    await token
      .exchange({ code: await given.code(foreign), ...asClient(target.application) }, other)
      .expectRefused();
    await token.exchange({ code: await given.code(foreign) }).expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
    await token.exchange({ code: await given.code(foreign) }, other).expectTwinAccepted();
  }),

  provokingCheck('token.post-only', async ({ given, token, target }) => {
    const byGet = (parameters: Parameters) =>
      ({
        method: 'GET',
        url: `${target.authUrl}/oauth/token?${encodeForm(parameters)}`,
        headers: [['Accept', 'application/json']],
      }) as const;
    const exchange = exchangeParameters(target.application, await given.code());
    await token.request('exchange by GET', byGet(exchange)).expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
    if (!given.mayRefresh) return;
    const refresh = refreshParameters(target.application, await given.refreshTokenNow());
    await token.request('refresh by GET', byGet(refresh)).expectRefused();
    await token.refresh({ refresh_token: await given.refreshTokenNow() }).expectTwinAccepted();
  }),

  provokingCheck('token.duplicate-parameter', async (context) => {
    const documented = [0, 1, 2, 3, 4].map((position) => ({
      write: (sent: Parameters) => twice(sent, position),
    }));
    await expectTokenRequestsRefused(context, 'exchange', () => [
      ...documented,
      ...besideAnother(['code', 'redirect_uri', 'grant_type']),
    ]);
    if (!context.given.mayRefresh) return;
    const both = [2, 3].map((position) => ({ write: (sent: Parameters) => twice(sent, position) }));
    await expectTokenRequestsRefused(context, 'refresh', () => [
      ...both,
      ...besideAnother(['refresh_token', 'grant_type']),
    ]);
  }),

  check('token.unknown-parameter-ignored', async ({ given, token }) => {
    await given.pair();
    await token.exchange({ code: await given.code(), unknown_parameter: 'x' }).expectSuccess();
    if (!given.mayRefresh) return;
    await given.refreshed(await given.pair());
    await token
      .refresh({ refresh_token: await given.refreshTokenNow(), unknown_parameter: 'x' })
      .expectSuccess();
  }),
];

/** Adds another value of a parameter before or after the rest, because a service may use the first or the last. */
function besideAnother(names: readonly string[]): readonly WrittenVariant[] {
  return names.flatMap((name) => {
    const other = [name, 'never-issued'] as const;
    return [
      { write: (sent) => [`another ${name} first`, [other, ...sent]] },
      { write: (sent) => [`another ${name} last`, [...sent, other]] },
    ] satisfies WrittenVariant[];
  });
}

function twice(sent: Parameters, position: number): readonly [string, Parameters] {
  const repeated = sent[position % sent.length] ?? ['', ''];
  return [`${repeated[0]} twice`, [...sent, repeated]];
}

import { oddCharactersIn } from '../../service/flow/answers.ts';
import type { Target } from '../../service/target.ts';
import { check } from '../language/check.ts';
import { createApplication } from '../language/create-application.ts';
import { placeFor } from '../language/places.ts';

/** An empty password, one in another case and one cut short, as many as the target allows. */
function wrongPasswords({ owner: { password }, pages, mostRefusedSignIns }: Target): readonly string[] {
  if (password === undefined || pages.signIn.length === 0) return [];
  const otherCase = [...password].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()));
  const wrong = [otherCase.join(''), password.slice(0, -1), ''].filter((one) => one !== password);
  return wrong.slice(0, mostRefusedSignIns);
}

export const checks = [
  check('application.account-area', async (context) => {
    const { given, token, users, target } = context;
    await given.listed();
    const application = await createApplication(context);
    const [redirect_uri] = application.redirectUris;
    const odd = oddCharactersIn(application.clientSecret);
    const inSecret = odd.length === 0 ? '' : `, and \`${odd.join('` `')}\` in its secret`;
    given.case(`a new application, with the address ${redirect_uri}${inSecret}`);
    const { code } = await context.authorize
      .request({ client_id: application.clientId, redirect_uri })
      .expectCode();
    const answer = await token.exchange({ code }, application).expectSuccess();
    const { accessToken = '', refreshToken = '' } = answer.tokens;
    await users.list({ token: accessToken }).expectList();
    await users.expectUsableAsOwn(placeFor(target, 0), accessToken);
    if (!given.mayRefresh) return;
    await given.refreshed(await given.pair());
    await token.refresh({ refresh_token: refreshToken }, application).expectSuccess();
  }),

  check('application.user-authenticated', async ({ authorize, given, target }) => {
    await authorize.request().byStranger().expectNoCode();
    const wrong = wrongPasswords(target);
    for (const password of wrong) await authorize.request().withPassword(password).expectNoCode();
    await authorize.request().expectTwinAccepted();
    // A mistyped password changes nothing about the request that goes on after it. The monitor evaluates its address.
    const [typo] = wrong;
    if (typo === undefined || wrong.length === target.mostRefusedSignIns) return;
    const { redirectUris } = target.application;
    const redirectUri =
      redirectUris.find((uri) => uri.includes('?')) ?? redirectUris.at(-1) ?? redirectUris[0];
    const request = authorize.request({ redirect_uri: redirectUri }).afterWrongPassword(typo);
    const { code } = await request.requireSuccess();
    await given.exchanged(code, { redirectUri });
  }),
];

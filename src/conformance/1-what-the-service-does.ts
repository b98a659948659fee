import { check } from '../checks/check.ts';
import { createApplication } from '../checks/create-application.ts';
import { placeFor } from '../checks/places.ts';
import { expectUsableAsOwn } from '../checks/usable-token.ts';

export const checks = [
  check('application.account-area', async (context) => {
    const { given, token, users, target } = context;
    await given.listed();
    const application = await createApplication(context);
    const { code } = await context.authorize.request({ client_id: application.clientId }).expectCode();
    const answer = await token.exchange({ code }, application).expectHonoured();
    const { accessToken = '', refreshToken = '' } = answer.tokens;
    await users.list({ token: accessToken }).expectList();
    await expectUsableAsOwn(users, placeFor(target, 0), accessToken);
    if (!given.mayRefresh) return;
    await given.refreshed(await given.pair());
    await token.refresh({ refresh_token: refreshToken }, application).expectHonoured();
  }),

  check('application.user-authenticated', async ({ authorize }) => {
    await authorize.request().byStranger().expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),
];

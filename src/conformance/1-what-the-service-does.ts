import { check } from '../checks/check.ts';
import { createApplication } from '../checks/create-application.ts';

/** Clause 1 (and 5.2): the application and its owner. */
export const checks = [
  check('application.account-area', async (context) => {
    const { given, token, users } = context;
    await given.listed();
    const application = await createApplication(context);
    const { code } = await context.authorize.request({ client_id: application.clientId }).expectCode();
    const answer = await token.exchange({ code }, application).expectHonoured();
    await users.list({ token: answer.tokens.accessToken ?? '' }).expectList();
  }),

  check('application.user-authenticated', async ({ authorize }) => {
    await authorize.request().byStranger().expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),
];

import { queryCode } from '../../target/flow/conversation.ts';
import { ALL_SCOPES, type Application, type DocumentedScope } from '../../target/target.ts';
import type { CheckContext } from './context.ts';

/** Sign-ins that stay for sessions that end. */
const OWN_SIGN_INS = 2;

/**
 * Brings about what changes no code and no token that an application was given before: the owner denies, where the consent page
 * can be had; a request is refused; the second application is granted, by an owner who signs in in another browser while a second
 * tab has a request of the first application open there. Without a second application, or sign-ins left, it leaves out the sign-in.
 *
 * @returns the code of the second application; undefined without one
 */
export async function unrelatedEvents(context: CheckContext): Promise<string | undefined> {
  const { authorize, given, users, target } = context;
  const { application, secondApplication, abilities } = target;
  if (abilities.has('fresh-consent')) {
    await given.target.forgetConsent?.();
    await authorize.request().denied().outcome();
  }
  await users.list({ token: { none: true } }).answer();
  if (secondApplication === undefined || !maySignInElsewhere(context)) return undefined;
  const { clientId: client_id, redirectUris } = secondApplication;
  const outcome = await authorize
    .request({ client_id, redirect_uri: redirectUris[0] })
    .elsewhere({ redirect_uri: application.redirectUris.at(-1) ?? '', scope: 'read' })
    .outcome();
  return queryCode(outcome);
}

function maySignInElsewhere({ given, target: { owner, pages } }: CheckContext): boolean {
  const byForm = owner.password !== undefined && owner.totpSecret === undefined && pages.signIn.length > 0;
  return byForm && !pages.savedSession && given.session.signInsLeft() > OWN_SIGN_INS;
}

/**
 * Obtains a code for one scope while a second tab of the same browser has the same application's request for all scopes open.
 * Without sign-ins left, obtains it without a second tab.
 */
export async function codeBesideWiderRequest(
  context: CheckContext,
  application: Application,
  scope: DocumentedScope,
): Promise<string> {
  const { authorize, given } = context;
  const { clientId: client_id, redirectUris } = application;
  const request = { client_id, redirect_uri: redirectUris[0] };
  const code = maySignInElsewhere(context)
    ? queryCode(
        await authorize
          .request({ ...request, scope })
          .elsewhere({ ...request, scope: ALL_SCOPES })
          .outcome(),
      )
    : undefined;
  return code ?? given.code({ scope, application });
}

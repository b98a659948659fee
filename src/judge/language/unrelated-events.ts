import { queryCode } from '../../target/flow/read-code.ts';
import { ALL_SCOPES, type Application, type DocumentedScope, type Target } from '../../target/target.ts';
import type { CheckContext } from './context.ts';

/** Sign-ins that a run needs besides the one here: its own, and one for a session that ends. */
const OWN_SIGN_INS = 2;

/**
 * Brings about what changes no code and no token that an application was given before: the owner denies, where the consent page
 * can be had; a request is refused; the second application is granted, by an owner who signs in in another browser while a second
 * tab has a request of the first application open there. Without a second application, or sign-ins left, it leaves out the sign-in.
 *
 * @returns the code of the second application; undefined without one
 */
export async function unrelatedEvents({
  authorize,
  given,
  users,
  target,
}: CheckContext): Promise<string | undefined> {
  const { application, secondApplication, abilities } = target;
  if (abilities.has('fresh-consent')) {
    await given.freshConsent();
    await authorize.request().denied().outcome();
  }
  await users.list({ token: { none: true } }).answer();
  if (secondApplication === undefined || !maySignInElsewhere(target)) return undefined;
  const { clientId: client_id, redirectUris } = secondApplication;
  const outcome = await authorize
    .request({ client_id, redirect_uri: redirectUris[0] })
    .elsewhere({ redirect_uri: application.redirectUris.at(-1) ?? '', scope: 'read' })
    .outcome();
  return queryCode(outcome);
}

function maySignInElsewhere({ owner, pages, mostSignIns = Infinity }: Target): boolean {
  const byForm = owner.password !== undefined && owner.totpSecret === undefined && pages.signIn.length > 0;
  return byForm && !pages.savedSession && mostSignIns > OWN_SIGN_INS;
}

/**
 * Obtains a code for one scope while a second tab of the same browser has the same application's request for all scopes open.
 * Without sign-ins left, obtains it without a second tab.
 */
export async function codeBesideWiderRequest(
  { authorize, given, target }: CheckContext,
  application: Application,
  scope: DocumentedScope,
): Promise<string> {
  const { clientId: client_id, redirectUris } = application;
  const request = { client_id, redirect_uri: redirectUris[0] };
  const code = maySignInElsewhere(target)
    ? queryCode(
        await authorize
          .request({ ...request, scope })
          .elsewhere({ ...request, scope: ALL_SCOPES })
          .outcome(),
      )
    : undefined;
  return code ?? given.code({ scope, application });
}

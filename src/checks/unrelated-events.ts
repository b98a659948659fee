import { queryCode } from '../flow/read-code.ts';
import type { CheckContext } from './context.ts';

/** Sign-ins that a run keeps for a session that ends. */
const SPARED = 1;

/**
 * Brings about what changes no code and no token that was issued before: the owner denies, where the consent page can be had;
 * another application is granted; requests are refused; the owner signs in in another browser, while a second tab has another
 * request open there (as the budget of sign-ins allows).
 *
 * @returns the code of the other browser with the address that it was asked for; undefined without one
 */
export async function unrelatedEvents({
  authorize,
  given,
  users,
  target,
}: CheckContext): Promise<{ readonly code: string; readonly redirect_uri: string } | undefined> {
  const { application, secondApplication, abilities, owner, pages, mostSignIns = Infinity } = target;
  if (abilities.has('fresh-consent')) {
    await given.freshConsent();
    await authorize.request().denied().outcome();
  }
  if (secondApplication !== undefined) await given.accessTokenOf(secondApplication);
  await users.list({ token: { none: true } }).answer();
  const byForm = owner.password !== undefined && owner.totpSecret === undefined && pages.signIn.length > 0;
  if (!byForm || pages.savedSession || mostSignIns <= SPARED + 1) return undefined;
  const [first, redirect_uri = first] = application.redirectUris;
  const outcome = await authorize.request({ redirect_uri }).elsewhere({ scope: 'read' }).outcome();
  const code = queryCode(outcome);
  return code === undefined ? undefined : { code, redirect_uri };
}

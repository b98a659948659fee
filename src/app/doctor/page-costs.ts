import { Conversation, codesIn } from '../../flow/conversation.ts';
import { authorizationParameters } from '../../flow/parameters.ts';
import type { Session } from '../../flow/session.ts';
import { ALL_SCOPES } from '../../targets/target.ts';

/** Requests that one granted authorization takes of who is signed in already, all redirects and whatever pages load included. */
export interface PageCosts {
  readonly drawn: number;
  /** The same through the browser's cookies alone; as {@link drawn} where these do not get through. */
  readonly throughCookies: number;
}

/**
 * Measures what an authorization costs at a target, with two requests that are granted. Their codes are not used.
 *
 * @returns undefined where the target's traffic is not counted, or no code came
 */
export async function measurePageCosts(session: Session): Promise<PageCosts | undefined> {
  const { target, dialect } = session;
  const { traffic } = target;
  if (traffic === undefined) return undefined;
  const cost = async (through: 'page' | 'cookies-only') => {
    const conversation = new Conversation(session, session.newRecorder());
    const parameters = authorizationParameters(target.application, dialect, { scope: ALL_SCOPES });
    const before = traffic.used.requests;
    const outcome = await conversation.authorize(parameters, { decision: 'grant', signedIn: true, through });
    return codesIn(outcome).length === 0 ? undefined : traffic.used.requests - before;
  };
  const drawn = await cost('page');
  if (drawn === undefined) return undefined;
  // A grant may have changed them.
  await session.shareCookies();
  return { drawn, throughCookies: (await cost('cookies-only')) ?? drawn };
}

import { type Exchange, headerOf, isBusy, isSuccess, TransportFailure } from '../../exchange/exchange.ts';
import { exchangedTokens, freshAccessToken, grantedCode } from '../../flow/actor.ts';
import { cleanUp } from '../../flow/clean-up.ts';
import { type Reliable, without } from '../../flow/contradictions.ts';
import { Conversation } from '../../flow/conversation.ts';
import { exchangeParameters } from '../../flow/parameters.ts';
import { encodeId } from '../../flow/requests.ts';
import type { Session } from '../../flow/session.ts';
import type { Target } from '../../targets/target.ts';
import { LIFETIME } from '../lifetime.ts';
import type { CheckOutcome } from '../run-check.ts';

/** A configured user, other than the first, whom the service refused to assign during a check; undefined without one. */
export function refusedUser({ result }: CheckOutcome, { users }: Target): string | undefined {
  const refused = result.evidence.flatMap((entry) =>
    entry.kind === 'exchange' && entry.request.method === 'PUT' && isWordOnTheUser(entry.response?.status)
      ? [new URL(entry.request.url).pathname]
      : [],
  );
  return users.slice(1).find((user) => refused.some((path) => path.endsWith(`/${encodeId(user)}`)));
}

/** A refusal that may be about who is to be assigned: not about the token, and not of a service that is busy. */
function isWordOnTheUser(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && !isBusy(status);
}

/**
 * Holds a configured user against the service: refused alone, and again after the first user was assigned and unassigned with the same
 * token. Then the id is the cause, and no state of the project. A service that is at fault for this one id cannot be told apart.
 *
 * @returns undefined when the user can be assigned, or nothing can be said
 */
export async function holdUser(session: Session, user: string): Promise<Reliable | undefined> {
  const { target, leftovers, assignedByRun } = session;
  const [project] = target.projects;
  const [first] = target.users;
  const c = new Conversation(session, session.newRecorder());
  const token = await freshAccessToken(c);
  if (!token.ok) return undefined;
  const send = async (operation: 'assign' | 'unassign', one: string) =>
    (await c.resource(operation, { operation, project, user: one, token: token.value })).response;
  try {
    const alone = await send('assign', user);
    if (!isWordOnTheUser(alone?.status)) return undefined;
    if (!isSuccess(await send('assign', first)) || !isSuccess(await send('unassign', first)))
      return undefined;
    const again = await send('assign', user);
    if (again?.status !== alone?.status) return undefined;
    const index = target.users.indexOf(user);
    const users = target.users.filter((one) => one !== user) as [string, ...string[]];
    const known = { ...target, users };
    const why = `the service does not assign \`users[${index}]\``;
    return {
      target: users.length < 3 ? without(known, 'three-users', why) : known,
      contradictions: [
        `configuration: the service refuses to assign user ${user} to project ${project} (status ${alone?.status}, twice, with no other user of the suite assigned), and assigns ${first}; correct this id in \`users\`, or have the service let \`owner\` assign this user`,
      ],
    };
  } finally {
    if (assignedByRun.any) leftovers.add(await cleanUp(c, token.value));
  }
}

/** Seconds by which the clock is moved to see whether it moves: longer than a token lives. */
const LEAP = LIFETIME + 60;

/**
 * Holds the configured clock against the service: it is said to have moved for longer than an access token lives, and a token and a
 * code from before are both honoured, and no answer shows another time. One of them alone would be the service's fault: tokens that
 * never expire do not keep codes alive.
 *
 * @returns what is wrong and what to do; undefined when time has passed, or nothing can be said
 */
export async function clockContradicted(session: Session): Promise<string | undefined> {
  const { target } = session;
  const { clock } = target;
  if (clock === undefined) return undefined;
  const c = new Conversation(session, session.newRecorder());
  const token = await freshAccessToken(c);
  const issued = c.recorder.entries.findLast((entry) => entry.kind === 'exchange')?.exchange;
  const code = await grantedCode(c);
  if (!token.ok || !code.ok) return undefined;
  try {
    await clock.advance(LEAP + target.skewSeconds);
  } catch (error) {
    if (error instanceof TransportFailure) return undefined;
    throw error;
  }
  const [project] = target.projects;
  const listed = await c.resource('list', { operation: 'list', project, token: token.value });
  if (!isSuccess(listed.response)) return undefined;
  const late = await c.token('exchange the code', exchangeParameters(target.application, code.value));
  if (late.tokens.accessToken === undefined) return undefined;
  const fresh = await grantedCode(c);
  if (!fresh.ok || !(await exchangedTokens(c, fresh.value)).ok) return undefined;
  if (issued !== undefined && secondsBetween(issued, late.exchange) > LEAP / 2) return undefined;
  return `configuration: the clock that \`clock.advanceUrl\` moves is not the service's: ${LEAP} s later a code and an access token from before are honoured, and no answer shows another time; correct \`clock\`, or leave it out and wait with --wait-expiry`;
}

/** How far the service's time has moved between two token responses, as `Date` or `created_at` tell; 0 where neither does. */
function secondsBetween(before: Exchange, after: Exchange): number {
  const [one, other] = [timesOf(before), timesOf(after)];
  return Math.max(
    0,
    ...one.map((time, i) => (other[i] ?? Number.NaN) - time).filter((s) => !Number.isNaN(s)),
  );
}

function timesOf({ response }: Exchange): readonly number[] {
  const date = Date.parse((response && headerOf(response, 'date')) ?? '') / 1_000;
  const created = /"created_at"\s*:\s*(\d+)/.exec(response?.body ?? '')?.[1];
  return [date, Number(created)];
}

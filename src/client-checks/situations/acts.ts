import { setTimeout } from 'node:timers/promises';
import { LIFETIME } from '../../document/lifetime.ts';
import { type Call, ClientUndrivable } from '../drive/client-driver.ts';
import { pollUntil } from '../drive/processes.ts';
import { MARKUP } from '../evaluate/bait.ts';
import type { Act, ActName, SessionName } from '../evaluate/episode.ts';
import { isTokenRefused } from '../evaluate/journal.ts';
import { forgedState } from '../evaluate/state-text.ts';
import {
  type Browser,
  NEVER_ISSUED,
  requireOk,
  type SituationContext,
  sleepSeconds,
  Unable,
  undefinedIfNotProduced,
  withParameter,
} from './situation-context.ts';

export type Perform = (context: SituationContext) => Promise<unknown>;

export async function callIfAble(
  context: SituationContext,
  as: ActName,
  session: SessionName,
  operation: 'assign' | 'unassign',
): Promise<void> {
  if (context.client.operations.includes(operation)) await context.call(as, session, { operation });
}

/** Blocks of 512 bytes: less than the 4,000 characters of a pair of long tokens. */
const FULL = 7;

/** Seconds. A lifetime of 7200 read as milliseconds is over then. */
const LONGER_THAN_MILLISECONDS = 8;

/**
 * Values that a careless comparison accepts as the state, and that an attacker can write: a part of it, other contents. Who
 * lengthens it, or changes its letter case, must know it.
 */
const LIKE_IT = [(state: string) => state.slice(0, state.length >> 1), forgedState];

/** Acts of the suite, which situations name. */
export const ACTS = {
  'be signed in': (context) => context.signedIn(),
  'sign in again': (context) => context.signInAgain(''),
  recover: (context) => context.signInAgain('recover'),
  change: async (context) => {
    for (const operation of ['assign', 'unassign'] as const)
      await callIfAble(context, '', 'first', operation);
  },
  restart: (context) => context.startAgain('restart'),
  'restart within a lifetime': (context) => context.restartWithin(),
  'restart on a full disk': async (context) => {
    if (process.platform === 'win32') throw new Unable('Windows limits no file');
    requireOk('a call after a restart', await context.call('', 'second'));
    await context.startAgain('restart', FULL);
  },
  // A store that is destroyed may keep it from starting, as the next call shows.
  'restart if it can': (context) =>
    context.startAgain('restart').catch((error) => {
      if (!(error instanceof ClientUndrivable)) throw error;
    }),
  'let the token expire': (context) => context.expire(),
  // Of what is issued from now on: with seconds left, some libraries refresh before a call can be refused.
  'state a short life': async ({ emulator, values }) => emulator.control.lifetime.set(values.lifetime),
  'try to sign in': trySignIn,
  'let time pass': (context) => context.wait(LONGER_THAN_MILLISECONDS),
  'renew a pair of a short life': async (context) => {
    const { lifetime } = context.emulator.control;
    lifetime.set(context.values.lifetime);
    await context.signInAgain('again');
    lifetime.set(LIFETIME);
    await context.expire();
    await context.call();
    await context.call('later');
  },
  // A client may wait longer than it is asked to: whole seconds, and one more.
  wait: ({ settings }) => sleepSeconds(2 * settings.retryAfterSeconds),
  // Clients that count whole seconds would not know that a token is revoked in the second of its issue.
  'revoke the access token': async (context) => {
    await context.passSecond();
    context.emulator.control.revoke({ token: context.newest('accessToken') });
  },
  'revoke the refresh token': async (context) =>
    context.emulator.control.revoke({ token: context.newest('refreshToken') }),
  'walk the flow': async (context) => {
    await context.signedIn();
    for (const operation of ['assign', 'unassign'] as const)
      if (context.client.operations.includes(operation)) {
        await context.call('', 'first', { operation });
        await context.neededList();
      }
  },
  'open the first page': (context) => context.look(),
  'need every change': async (context) => context.neededChanges(),
  'need two users': async ({ client }) => {
    if (!client.manyUsers) throw new Unable('the client has one user at a time');
  },
  // Both exchanges are answered at the same time: each pair must survive the write of the other.
  'sign in both': async (context) => {
    const { holds } = context.emulator.control;
    const begun = async (session: SessionName) => {
      const address = await context.authorize('', session);
      return () => context.deliver(address, '', session);
    };
    const deliveries = [await begun('first'), await begun('second')];
    holds.arm({ route: 'token', until: 2, limitMs: context.values.heldMs });
    const delivered = await context.atOnce(deliveries);
    // If both users got tokens, a callback that failed has lost a pair, as the calls show.
    const { length } = context.entries().filter(({ issued }) => issued.accessToken);
    if (length < 2) for (const step of delivered) requireOk('the callback', step);
    holds.clear();
  },
  'call second for another project': (context) =>
    context.call('', 'second', { project: context.values.emptyProject }),
  'call with second meanwhile': (context) => callBoth(context, 'at-once', 'at-once'),
  // A store that is read and written back without a lock loses a pair now and then.
  'let both renew again and again': async (context) => {
    const { realTime, heldMs } = context.settings;
    const { holds } = context.emulator.control;
    for (let times = realTime ? 1 : 40; times > 0; times -= 1) {
      await context.expire();
      const begun = performance.now();
      holds.arm({ route: 'token', grantType: 'refresh_token', until: 2, limitMs: heldMs });
      await callBoth(context, 'both-due', 'both-due');
      holds.clear();
      const tookMs = performance.now() - begun;
      await context.call();
      await context.call('', 'second');
      // One process alone answers one after the other, or the client refreshes for both at once.
      if (tookMs > heldMs) return;
    }
  },
  'call stalled with second beside': (context) => callBoth(context, 'stalled', 'beside'),
  'call five times at once': (context) =>
    context.atOnce(
      Array.from({ length: 5 }, (_, index) => () => context.call('at-once', browserOf(context, index))),
    ),
  'let two lists meet': letListsMeet,
  'need workers': async (context) => {
    if (context.isAlone ?? (await answersOneAtATime(context))) throw new Unable(ONE_AT_A_TIME);
  },
  'call twice at once': callOvertaken,
  'call each operation with a revoked token': async (context) => {
    for (const operation of context.client.operations) {
      await context.passSecond();
      context.emulator.control.revoke({ token: context.newest('accessToken') });
      await context.call('refused-once', 'first', { operation });
    }
  },
  'deny consent': async (context) => context.deliver(await context.authorize('', 'first', 'deny'), 'denied'),
  'deliver markup': async (context) => {
    for (const name of ['error_description', 'error']) {
      const denied = await context.authorize('', 'first', 'deny');
      await context.deliver(withParameter(denied, name, MARKUP), 'denied');
    }
  },
  'deliver an unasked denial': async (context) =>
    context.deliver(`${context.client.redirectUri}?error=access_denied`, 'denied'),
  'deliver a made-up code': async (context) =>
    context.deliver(await context.authorize('', 'first', 'made-up'), 'hostile'),
  'sign in under another host': async (context) => {
    const { otherHost } = context.client;
    if (otherHost === undefined) throw new Unable('the client is reached by one name alone');
    context.underAnotherHost(otherHost);
    await context.deliver(await context.authorize(), 'odd');
  },
  'deliver wrong states': async (context) => {
    const begun = await context.authorize();
    await context.deliver(withParameter(begun, 'state', 'made-up-by-somebody-else-0123456789'), 'hostile');
    for (const alter of LIKE_IT) {
      const address = await context.authorize();
      const state = stateOf(address) ?? '';
      const altered = alter(state);
      if (altered !== undefined && altered !== state)
        await context.deliver(withParameter(address, 'state', altered), 'hostile');
    }
  },
  'deliver without a state': async (context) => {
    // In a browser without a begun sign-in, a careless client compares undefined with undefined.
    for (const begin of [() => context.attackersAddress(), () => context.authorize()])
      for (const state of [undefined, ''])
        await context.deliver(withParameter(await begin(), 'state', state), 'hostile');
    // Nor is one kept after a sign-in.
    await context.signIn();
    await context.deliver(withParameter(await context.attackersAddress(), 'state', undefined), 'hostile');
  },
  'deliver a replayed state': async (context) => {
    const state = stateOf(await context.signIn());
    await context.deliver(withParameter(await context.authorize(), 'state', state), 'hostile');
  },
  'deliver foreign codes': async (context) => {
    if (!context.client.manySessions) throw new Unable('the client cannot tell two browsers apart');
    await context.deliver(await context.authorize('', 'second'), 'hostile', 'first');
    const attackers = await context.authorize('', 'second');
    await context.authorize('', 'first');
    await context.deliver(attackers, 'hostile', 'first');
    // The first browser has a session now, and the latest sign-in is the second's.
    await context.deliver(await context.authorize('', 'second'), 'hostile', 'first');
  },
  'deliver an unknown code': async (context) =>
    context.deliver(withParameter(await context.authorize(), 'code', NEVER_ISSUED), 'hostile'),
  'sign in and reload': async (context) => context.deliver(await context.signIn(), 'reload'),
  'deliver twice at once': async (context) => {
    const address = await context.authorize();
    const once = () => context.deliver(address, 'at-once');
    await context.atOnce([once, once]);
  },
  'name odd ids': async (context) => {
    const { client } = context;
    const ask = async (named: Partial<Call>) => {
      const { after } = await context.call('awkward', 'first', named);
      if (context.entries().some(({ arrival, endpoint }) => arrival > after && endpoint !== 'token')) return;
      // A client that loses its pairs for another mistake gets a new one.
      await trySignIn(context);
      await context.call('awkward', 'first', named);
    };
    for (const operation of ['assign', 'unassign'] as const)
      if (client.operations.includes(operation) && client.named(operation).includes('user'))
        for (const user of ['a+b c%', 'ask?me%21', 'Her/Him', '9007199254740993', '00505'])
          await ask({ operation, user });
    if (client.named('list').includes('project'))
      for (const project of ['Nord+Süd 50%', 'roof?half#7', 'west/2']) await ask({ project });
  },
  'call or sign in': async (context) => {
    if ((await context.call('rested')).outcome !== 'ok') await context.signInAgain('recover');
  },
  'call and be killed after the refresh': (context) => killDuring(context, 'list'),
  'call and be killed during the refresh': (context) => killDuring(context, 'refresh'),
  'go on': goOn,
  'call and leave during the refresh': leaveDuringRefresh,
} as const satisfies Readonly<Record<string, Perform>>;

export type OwnStep = keyof typeof ACTS;

const REFRESH = { route: 'token', grantType: 'refresh_token' } as const;

/** Signs in if the client begins a sign-in. */
async function trySignIn(context: SituationContext): Promise<void> {
  const address = await context.begin('odd');
  if (address !== undefined) await context.deliver(address, 'odd');
}

/** Distributes the calls of a race over the user's browsers. */
function browserOf({ browsers }: SituationContext, index: number): Browser {
  return browsers[index % browsers.length] ?? 'first';
}

/** True if a request waits at this hold; without an id, at any. */
function isHeld({ emulator }: SituationContext, hold?: string): boolean {
  return emulator.control.holds.list().some(({ id, waiting }) => waiting > 0 && id === (hold ?? id));
}

/** Begins a call. Resolves when a request waits at this hold, or at any, and when the call is over. */
async function heldCall(context: SituationContext, call: Promise<Act>, hold?: string, mostMs = MOST_MS) {
  const begun = running(call);
  await pollUntil(() => begun.isOver() || isHeld(context, hold), mostMs, 10);
  return begun;
}

/** Signs the user in a second time, in another browser, where that is possible, and finds out if lists of both can meet. */
async function letListsMeet(context: SituationContext): Promise<void> {
  if (context.client.manySessions) {
    const address = await context.authorize('', 'other').catch(undefinedIfNotProduced);
    if (address !== undefined) await context.deliver(address, 'other', 'other');
    // Some applications end the first browser's session.
    const works = [await context.call('meeting', 'other'), await context.call('meeting')];
    if (works.every(({ outcome }) => outcome === 'ok')) context.browsers = ['first', 'other'];
    else if (works[1]?.outcome !== 'ok') await context.signInAgain('other');
  }
  context.isAlone = await answersOneAtATime(context);
}

const ONE_AT_A_TIME =
  'the application answers one request at a time, so that no two meet: start it with workers, as in production (PHP_CLI_SERVER_WORKERS=6 php -S, flask run --with-threads, puma -t 5:5, WEBrick with a thread for each request)';

/**
 * True if neither another browser's list nor a page that needs no user gets through while a list is held. A session's lock lets the
 * first through, and a lock of the user the second.
 */
async function answersOneAtATime(context: SituationContext): Promise<boolean> {
  const { holds } = context.emulator.control;
  const { id } = holds.arm({ route: 'list', until: 2, limitMs: context.values.heldMs });
  const call = await heldCall(context, context.call('meeting'));
  const isWaiting = isHeld(context);
  const looked = context.look(true).then(
    () => false,
    () => false,
  );
  const other = context.call('meeting', browserOf(context, 1));
  const waits = isWaiting && (await Promise.race([looked, holds.ended(id).then((end) => end !== 'count')]));
  holds.clear();
  await Promise.all([looked, call.ended, other]);
  return waits;
}

/** Lets a second call send its refresh beside the first one's. It takes effect after the first call has used its new pair. */
async function callOvertaken(context: SituationContext): Promise<void> {
  const { holds } = context.emulator.control;
  const { heldMs } = context.values;
  // The second may get another request of the first call, which tries HTTP Basic before the form, say.
  const one = { ...REFRESH, phase: 'request', count: 1, limitMs: heldMs } as const;
  const [first, second] = [holds.arm(one).id, holds.arm(one).id];
  const followed = async (): Promise<Act> => {
    await pollUntil(() => isHeld(context, first), heldMs, 10);
    const call = context.call('at-once', browserOf(context, 1));
    const { ended } = await heldCall(context, call, second, heldMs);
    if (isHeld(context, first)) holds.release(first);
    return ended;
  };
  await context.atOnce([() => context.call('at-once').finally(() => holds.clear()), followed]);
}

const MOST_TRIES = 4;

/** Calls until it works: a lock of a killed process may last some time. Otherwise signs in, and calls after that pair's expiry. */
async function goOn(context: SituationContext): Promise<void> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const { outcome, after } = await context.call('after-loss');
    if (outcome === 'ok') return;
    const isRefused = context.entries().some((entry) => entry.arrival > after && isTokenRefused(entry));
    if (isRefused || tries === MOST_TRIES) break;
    // Some clients ask for another try before they send the old token again.
    if (tries === 1) continue;
    await setTimeout(LOCK_IN_HOLDS * context.values.heldMs);
    await context.wait(0);
  }
  await context.signInAgain('recover');
  await context.expire();
  await context.call('recovered');
}

/** Times that an answer is held: half a minute in all tries. */
const LOCK_IN_HOLDS = 10;

/** Calls as the second user while a request of the first waits. */
async function callBoth(context: SituationContext, first: ActName, second: ActName) {
  const other = () => context.waiting().then(() => context.call(second, 'second'));
  return context.atOnce([() => context.call(first), ...(context.client.manyUsers ? [other] : [])]);
}

const MOST_MS = 10_000;

/** Real milliseconds in which an application notices that its user left, and no deadline of its own ends. */
const NOTICED_MS = 150;

/** Calls, and leaves the page once a refresh is held. Another call of the user waits for the same refresh. */
async function leaveDuringRefresh(context: SituationContext): Promise<void> {
  const { holds } = context.emulator.control;
  const browser = new AbortController();
  holds.arm({ ...REFRESH, limitMs: MOST_MS });
  const left = async () => (await heldCall(context, context.call('left', 'first', {}, browser.signal))).ended;
  const waiting = async (): Promise<Act> => {
    await pollUntil(() => isHeld(context), MOST_MS, 10);
    const other = running(context.call('at-once', browserOf(context, 1)));
    await pollUntil(other.isOver, NOTICED_MS, 10);
    browser.abort();
    await setTimeout(NOTICED_MS);
    holds.clear();
    return other.ended;
  };
  await context.atOnce([left, waiting]);
  await context.settled();
  // The pair is stored after its answer.
  await setTimeout(NOTICED_MS);
}

function running<T>(work: Promise<T>): { readonly ended: Promise<T>; readonly isOver: () => boolean } {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  return { ended, isOver: () => over };
}

/** Calls, and kills the application while the answer to its refresh is held, or the list that follows. */
async function killDuring(context: SituationContext, follows: 'refresh' | 'list'): Promise<void> {
  const { holds } = context.emulator.control;
  const limitMs = MOST_MS;
  const { id } = holds.arm({ ...REFRESH, limitMs });
  const call = await heldCall(context, context.call('killed'));
  if (isHeld(context) && follows === 'list') {
    holds.arm({ route: 'list', limitMs });
    holds.release(id);
    await pollUntil(() => !isHeld(context, id) && (call.isOver() || isHeld(context)), MOST_MS, 10);
  }
  const seen = isHeld(context);
  if (seen) await context.startAgain('kill');
  holds.clear();
  await call.ended;
  if (!seen) throw new Unable(`no ${follows} was sent`);
}

function stateOf(address: string): string | undefined {
  return new URL(address).searchParams.get('state') ?? undefined;
}

import type { Call, UserSession } from '../../../src/client-checks/drive/client-driver.ts';
import type { ActResult } from '../../../src/client-checks/evaluate/episode.ts';
import type { CookieJar } from '../../../src/service/agent/cookie-jar.ts';
import { requestApi } from './api-request.ts';
import { readList } from './lists.ts';
import type { Pair, Process } from './machine.ts';
import { forgetPair, readPair, writePair } from './pair-store.ts';
import { refresh, refreshNow } from './refresh.ts';
import { type Choices, choose } from './variations.ts';
import { patiently } from './waiting.ts';
import { type Answer, Failed } from './wire.ts';

const LIFETIME_MS = 7_200_000;

/** Time before the expiry from which on a pair is refreshed. */
const LEEWAYS_MS: Choices<number> = {
  'refreshed-after-ten-minutes': LIFETIME_MS - 600_000,
  'refresh-five-minutes-early': 300_000,
  'no-clock': Number.NEGATIVE_INFINITY,
};

/** Number of refreshes and further tries after a 401. */
const RENEWALS: Choices<number> = {
  '401-for-ever': Number.POSITIVE_INFINITY,
  '401-without-end': 5,
  '401-passed-on': 0,
  '401-called-good': 0,
  'a-second-late': 0,
  'expiry-in-local-time': 0,
  '401-signs-out': 0,
  'lifetime-begins-at-start': 0,
};

/** Status of a call after which the pair is dropped. */
const DROPPING: Choices<number> = {
  '401-signs-out': 401,
  'pair-dropped-after-403': 403,
  'pair-dropped-after-a-429-of-a-call': 429,
};

/** Failures that are shown as a success. */
const CALLED_GOOD: Choices<(answer: Answer, call: Call) => boolean> = {
  '401-called-good': ({ status }) => status === 401,
  'json-error-called-good': ({ body }) => body.startsWith('{'),
  'redirected-change-called-good': ({ status }) => status === 307,
  'refused-assign-called-good': ({ status }, { operation }) => status >= 400 && operation === 'assign',
  'refused-unassign-called-good': ({ status }, { operation }) => status >= 400 && operation === 'unassign',
};

/** Answers a user's call. */
export async function answerCall(
  process: Process,
  session: UserSession,
  asked: Call,
): Promise<Omit<ActResult, 'outcome'>> {
  const { is, machine, signedInWithout, lists } = process;
  if (process.isStuck) throw new Failed('500');
  const user = machine.userOf(session);
  const { projectId, userId } = machine.service;
  const call = choose(
    is,
    {
      'project-configured': { ...asked, project: projectId, user: userId },
      'ids-written-down': { ...asked, project: '1041', user: '505' },
    },
    asked,
  );
  const detail = 'answered 200';
  process.caller = user;
  if (signedInWithout.has(session.name) && readPair(process, user) === undefined) return { detail };
  if (is('others-listed-in-the-background')) {
    const others = [...machine.disk.pairs.keys()].filter((one) => one !== user);
    for (const other of others)
      operate(process, other, { ...call, operation: 'list' }, session.jar).catch(() => undefined);
  }
  const instead = lists.instead(user, call, machine.now());
  if (instead !== undefined) return { detail, ...instead };
  const work = () => operate(process, user, call, session.jar);
  if (call.operation !== 'list' && is('change-sent-after-the-answer')) {
    setTimeout(() => work().catch(() => undefined), 20);
    return { detail, page: 'done' };
  }
  return { detail, page: await inTurn(process, session.jar, work) };
}

/** Lets calls wait for each other. */
async function inTurn<T>(process: Process, browser: CookieJar, work: () => Promise<T>): Promise<T> {
  const { is, queue, queues } = process;
  if (is('session-locked', 'session-locked-alone')) {
    const turn = (queues.get(browser) ?? Promise.resolve()).then(work, work);
    queues.set(browser, turn);
    return turn;
  }
  const isOneByOne = is(
    'one-worker',
    'one-worker-without-a-lock',
    'calls-one-by-one',
    'refresh-without-deadline-under-one-lock',
  );
  if (!isOneByOne) return work();
  const turn = queue.then(work);
  process.queue = turn.catch(() => undefined);
  return turn;
}

/** Lists, assigns or unassigns with the user's pair. Resolves with the page; undefined for one without content. */
async function operate(
  process: Process,
  user: string,
  call: Call,
  browser: CookieJar,
): Promise<string | undefined> {
  const { is, machine, lists, firstAccessTokens } = process;
  const refreshed = (pair: Pair) => refresh(process, user, pair, browser);
  let pair = readPair(process, user);
  if (pair === undefined) throw new Failed('401: sign in first', 401);
  const passesOn = pair.generation > 0 && is('second-expiry-passed-on');
  if (isDue(process, user, pair, call)) {
    const refreshing = refreshed(pair);
    pair = await (is('refreshed-pair-not-kept') ? refreshing.catch(() => undefined) : refreshing);
    if (pair === undefined) return undefined;
  }
  const accessToken = firstAccessTokens.get(user) ?? pair.accessToken;
  firstAccessTokens.set(user, accessToken);
  const isFirst =
    is('access-token-remembered') || (call.operation === 'unassign' && is('first-access-token-for-unassign'));
  let answer = await requestApi(machine, isFirst ? { ...pair, accessToken } : pair, call);
  if (answer.status === choose(is, DROPPING, 0)) forgetPair(process, user);
  const renewals = passesOn ? 0 : choose(is, RENEWALS, 1);
  for (let count = 0; count < renewals && answer.status === 401; count += 1) {
    const refused: Pair = pair;
    // A pair of this very second is taken for one that another call has just refreshed.
    if (is('whole-seconds') && seconds(refused.expiresAt - LIFETIME_MS) === seconds(machine.now())) break;
    pair = await (is('401-refreshed-by-each-call') ? refreshNow(process, user, pair) : refreshed(pair));
    if (is('refresh-token-lost-after-401')) {
      pair = { ...pair, refreshToken: refused.refreshToken };
      writePair(process, user, pair);
    }
    if (is('401-refreshed-and-not-tried')) break;
    const isOld = is('401-tried-again-with-the-old-token', '401-old-token-and-please-again');
    answer = await requestApi(machine, isOld ? refused : pair, call, true);
  }
  const { status } = answer;
  const isRefused = status >= 400 && status !== 401;
  if ((isRefused && is('any-refusal-refreshed')) || (status === 403 && is('403-refreshed'))) {
    pair = await refreshed(pair);
    answer = await requestApi(machine, pair, call);
  }
  const last = pair;
  answer = await patiently(machine, answer, () => requestApi(machine, last, call));
  if (is('stored-after-the-call') || (is('saved-with-the-call') && answer.status < 400))
    writePair(process, user, pair);
  lists.note(user, call, answer, machine.now());
  return pageOf(process, pair, call, answer);
}

const seconds = (ms: number) => Math.floor(ms / 1_000);

/** True if the pair is refreshed before the call. */
function isDue(process: Process, user: string, pair: Pair, { operation }: Call): boolean {
  const { is, machine, firstExpiries } = process;
  const expiries = {
    'expiry-never-renewed': firstExpiries.get(user) ?? pair.expiresAt,
    'lifetime-begins-at-start': Math.max(pair.expiresAt, machine.bootedMs + LIFETIME_MS),
    'expiry-in-local-time': pair.expiresAt + machine.zoneMs,
  };
  const expiresAt = choose(is, expiries, pair.expiresAt);
  firstExpiries.set(user, expiresAt);
  const isAtStart = is('refresh-at-start') && !process.known.has(pair.accessToken);
  const isOver = is('a-second-late')
    ? seconds(machine.now()) > seconds(expiresAt)
    : machine.now() >= expiresAt - choose(is, LEEWAYS_MS, 60_000);
  const isExpired = isAtStart || (isOver && !(pair.generation > 0 && is('second-expiry-passed-on')));
  if (isExpired && is('signs-in-again-at-expiry')) throw new Failed('302: sign in again', 302);
  return (
    (isExpired && !is('access-token-remembered')) ||
    is('eager-refresh') ||
    (operation !== 'list' && is('refreshed-before-writes'))
  );
}

async function pageOf(
  { is, machine, lists }: Process,
  pair: Pair,
  call: Call,
  first: Answer,
): Promise<string | undefined> {
  const { operation } = call;
  if (operation !== 'list') {
    const list = () => requestApi(machine, pair, { ...call, operation: 'list' });
    if (is('lists-around-changes')) await list();
    const isAbove = first.status >= 400 && is('refused-change-shown-above-the-list');
    if (isAbove || is('refused-assign-shown-as-done')) {
      const { status, body } = await list();
      if (status < 400) return isAbove ? `It was refused. ${body}` : body;
    }
  }
  let answer = first;
  if (answer.status === 404 && is('unknown-project-replaced'))
    answer = await requestApi(machine, pair, { ...call, project: '1041' });
  if (answer.status === 204 && is('empty-answer-repeated')) answer = await requestApi(machine, pair, call);
  const { status, body } = answer;
  if (status === 401 && is('401-old-token-and-please-again')) throw new Failed('502: please try again');
  if (choose(is, CALLED_GOOD, () => false)(answer, call)) return undefined;
  if (status >= 300 && !is('refusals-called-good', 'empty-pair-called-good'))
    throw new Failed(String(status), status);
  if (operation === 'list' && status < 400) readList(is, answer);
  const isUnreadable =
    (operation === 'assign' && status === 204 && is('empty-assign-is-an-error')) ||
    (operation === 'unassign' && body === '' && is('empty-answer-read'));
  if (isUnreadable) throw new Failed('500: unexpected end of JSON input');
  lists.show(call, answer);
  return body;
}

import type { CookieJar } from '../../../src/service/agent/cookie-jar.ts';
import type { Machine, Pair, Process } from './machine.ts';
import { forgetPair, readPair, writePair } from './pair-store.ts';
import { type Fields, pairIn, requestTokens } from './token-endpoint.ts';
import { type Choices, choose } from './variations.ts';
import { CalledGood, Failed, Lost } from './wire.ts';

/** Age of a lock file that another process takes over. */
const STALE_MS = 10_000;

const SCOPES: Choices<string> = {
  'refresh-for-wider-scope': 'read write destroy admin',
  'refresh-for-narrower-scope': 'read',
  'scope-repeated-in-refresh': 'read write destroy',
};

/** Further attempts after a 503. */
const FURTHER: Choices<number> = { 'pair-dropped-after-eight-tries': 7, 'refresh-again-after-503': 1 };

/** Refreshes a stale pair, or waits for the refresh of another call. */
export function refresh(process: Process, user: string, stale: Pair, browser: CookieJar): Promise<Pair> {
  const { is, machine, refreshing } = process;
  const { browsers } = machine;
  if (stale.refreshToken === '') return Promise.reject(new Failed('401: sign in first', 401));
  const isUnlocked = is(
    'refresh-for-each-call',
    'refresh-for-each-call-read-again',
    'session-locked-alone',
    'one-worker-without-a-lock',
  );
  if (isUnlocked) return refreshNow(process, user, stale);
  if (!browsers.includes(browser)) browsers.push(browser);
  const keys = {
    'one-refresh-for-all': 'everybody',
    'refresh-for-each-browser': `${user} ${browsers.indexOf(browser)}`,
  };
  const key = choose(is, keys, user);
  const under = refreshing.get(key);
  if (under !== undefined) {
    if (is('two-processes-reading-before-the-lock') && machine.holder !== process)
      return under.then(() => refreshNow(process, user, stale));
    if (is('busy-while-it-refreshes')) return Promise.reject(new Failed('503: busy', 503));
    if (!is('refreshed-in-turn')) return under;
    const next = under.then((pair) => refreshNow(process, user, pair));
    refreshing.set(key, next);
    return next;
  }
  const stored = readPair(process, user);
  if (stored !== undefined && stored.accessToken !== stale.accessToken) return Promise.resolve(stored);
  const begun = refreshNow(process, user, stale);
  machine.holder = process;
  refreshing.set(key, begun);
  const forget = () => refreshing.delete(key);
  begun.then(forget, is('failed-refresh-remembered') ? () => undefined : forget);
  return begun;
}

/** Refreshes a pair without a lock in memory. */
export async function refreshNow(process: Process, user: string, pair: Pair): Promise<Pair> {
  const { is, machine, gone } = process;
  const fields = fieldsOf(machine, pair);
  lock(machine, user);
  if (is('taken-out-before-the-refresh')) forgetPair(process, user);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await requestTokens(machine, fields);
      const { status, body } = answer;
      const isRefused = status >= 400 && status < 500 && body.includes('invalid_grant');
      const stored = readPair(process, user);
      const isReplaced = stored !== undefined && stored.accessToken !== pair.accessToken;
      const readsAgain = is(
        'refresh-for-each-call-read-again',
        'refresh-for-each-browser',
        'session-locked-alone',
      );
      if (isRefused && isReplaced && readsAgain) return stored;
      const isDropped =
        (isRefused && !is('refused-refresh-again', 'error-stored-as-pair', 'refreshed-pair-not-kept')) ||
        (status === 429 && is('pair-dropped-after-429')) ||
        (status >= 500 && is('pair-dropped-after-5xx')) ||
        (status >= 429 && body.startsWith('{') && is('pair-dropped-for-json')) ||
        (status >= 429 && body.startsWith('<') && is('pair-dropped-for-a-page')) ||
        (status === 200 && body.startsWith('<') && is('pair-dropped-for-a-good-page'));
      if (isDropped) forgetPair(process, user);
      if (isRefused && is('refused-refresh-called-good')) throw new CalledGood();
      if (isRefused && is('refused-refresh-empties-all'))
        for (const pairs of [machine.disk.pairs, process.pairs]) pairs.clear();
      if (status === 503 && attempt <= choose(is, FURTHER, 0)) continue;
      if (status === 503 && is('pair-dropped-after-eight-tries')) forgetPair(process, user);
      if (isRefused && is('refused-refresh-with-the-token-before') && machine.replaced !== undefined) {
        fields[1] = ['refresh_token', machine.replaced];
        await requestTokens(machine, fields);
      }
      machine.replaced = pair.refreshToken;
      const { refreshToken, generation } = pair;
      const fresh = pairIn(machine, answer, generation + 1);
      const isOld =
        is('refresh-token-of-the-exchange') || (generation > 0 && is('second-refresh-token-lost'));
      const kept = isOld ? { ...fresh, refreshToken } : fresh;
      const owners = { 'refreshed-for-another': 'first', 'refreshed-for-the-last-caller': process.caller };
      if (!is('stored-after-the-call', 'saved-with-the-call', 'refreshed-pair-not-kept'))
        writePair(process, choose(is, owners, user), kept);
      return kept;
    } catch (error) {
      const isLost = error instanceof Lost;
      if (isLost && is('pair-dropped-when-lost') && !gone.signal.aborted) forgetPair(process, user);
      // A refused pair stays away.
      const isDead = error instanceof Failed && error.status >= 400 && error.status < 429;
      if (!isDead && is('taken-out-before-the-refresh')) writePair(process, user, pair);
      const isRepeated = isLost && is('refresh-again-when-lost', 'refresh-given-up-too-soon');
      if (!isRepeated || attempt > 1) throw error;
    } finally {
      if (!gone.signal.aborted) machine.lockFiles.delete(user);
    }
  }
}

function fieldsOf({ is, service }: Machine, { accessToken, refreshToken }: Pair): Fields {
  const fields: Fields = [
    ['grant_type', 'refresh_token'],
    ['refresh_token', is('access-token-as-refresh-token') ? accessToken : refreshToken],
    ['client_id', service.clientId],
  ];
  if (!is('refresh-without-secret')) fields.push(['client_secret', service.clientSecret]);
  const scope = choose(is, SCOPES, '');
  if (scope !== '') fields.push(['scope', scope]);
  if (is('refresh-with-code')) fields.push(['code', 'the-code-of-the-exchange-again']);
  return fields;
}

/** @throws Failed if another process holds the lock file */
function lock(machine: Machine, user: string): void {
  if (!machine.is('lock-file-for-ever', 'lock-file-taken-over')) return;
  const lockedAt = machine.lockFiles.get(user) ?? 0;
  const isStale = machine.is('lock-file-taken-over') && machine.now() > lockedAt + STALE_MS;
  if (lockedAt > 0 && !isStale) throw new Failed('500: another process refreshes', 500);
  machine.lockFiles.set(user, machine.now());
}

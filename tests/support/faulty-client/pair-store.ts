import type { Pair, Process } from './machine.ts';

export function readPair({ is, machine, pairs, unsaved, known }: Process, user: string): Pair | undefined {
  const stored = pairs.get(user) ?? unsaved.get(user) ?? machine.disk.pairs.get(user);
  // The process knows the whole pair; the next one has the access token alone.
  if (is('refresh-token-not-on-disk') && stored !== undefined && !known.has(stored.accessToken))
    return { ...stored, refreshToken: '' };
  return stored;
}

/** A process that is gone writes nothing. */
export function writePair(process: Process, user: string, pair: Pair): void {
  const { is, machine } = process;
  const { disk, processes } = machine;
  if (process.gone.signal.aborted) return;
  process.known.add(pair.accessToken);
  if (is('tokens-logged')) disk.log += `stored ${JSON.stringify(pair)}\n`;
  if (is('token-lengths-logged')) disk.log += `stored ${pair.accessToken.slice(0, 6)}…\n`;
  if (disk.isFull) {
    if (is('store-written-in-place')) disk.pairs.clear();
    throw new Error('no space left on device');
  }
  // The memory holds the newest pair, wherever it was stored.
  process.pairs.delete(user);
  process.unsaved.delete(user);
  const isRefreshed = pair.generation > 0;
  const inMemory = is('pair-in-memory') || (isRefreshed && is('refreshed-pair-in-memory'));
  const saved = isRefreshed && is('stored-at-the-end') ? process.unsaved : disk.pairs;
  (inMemory ? process.pairs : saved).set(user, pair);
  // After the exchange every process reads it; each then keeps what it has.
  if (is('two-processes-each-its-copy'))
    for (const { pairs } of isRefreshed ? [process] : processes) pairs.set(user, pair);
}

export function forgetPair({ machine, pairs, unsaved }: Process, user: string): void {
  for (const place of [pairs, unsaved, machine.disk.pairs]) place.delete(user);
}

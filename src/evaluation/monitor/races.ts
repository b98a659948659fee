import type { KnownPair } from './token-model.ts';

interface Race {
  inFlight: number;
  overlapped: boolean;
  unclear: boolean;
  readonly given: KnownPair[];
}

/**
 * Concurrent refreshes with one refresh token: a service may refuse all but one. If several succeed with different
 * tokens, the refresh token of the last answer must work (clause 4.3).
 */
export class Races {
  readonly #races = new WeakMap<KnownPair, Race>();
  readonly #raceOf = new WeakMap<KnownPair, Race>();

  sent(pair: KnownPair): void {
    const begins = pair.family.changed === undefined && pair.family.latest === pair && pair.presented === 0;
    const race = this.#races.get(pair) ?? { inFlight: 0, overlapped: false, unclear: !begins, given: [] };
    this.#races.set(pair, race);
    if (race.inFlight > 0) race.overlapped = true;
    else if (race.given.length > 0) race.unclear = true;
    race.inFlight += 1;
  }

  /** `unclear`: the answer had no tokens and was no refusal. */
  answered(pair: KnownPair, unclear: boolean): void {
    const race = this.#races.get(pair);
    if (race === undefined) return;
    race.inFlight -= 1;
    if (unclear) race.unclear = true;
  }

  gave(pair: KnownPair, next: KnownPair): void {
    const race = this.#races.get(pair);
    if (race === undefined) return;
    race.given.push(next);
    this.#raceOf.set(next, race);
  }

  isLatest(pair: KnownPair): boolean {
    const race = this.#raceOf.get(pair);
    if (race === undefined || !race.overlapped || race.unclear || race.inFlight > 0) return false;
    return (
      race.given.length > 1 && race.given.at(-1) === pair && race.given.every((one) => one.presented === 0)
    );
  }
}

/** One operation on a user's assignment that overlapped others. Moments increase with every event. */
export interface KeyOperation {
  readonly begun: number;
  readonly ended: number;
  readonly does: 'set' | 'may-set' | 'read';
  readonly value: boolean;
}

/** Longer sequences are not searched: 12 operations take milliseconds, 20 take minutes. */
export const LONGEST_WINDOW = 14;

/**
 * Returns the values that an assignment may have after overlapping operations, each of which took effect at one moment between
 * its beginning and its end. Empty if no order of the operations explains the reads.
 */
export function finalValues(
  operations: readonly KeyOperation[],
  initial: ReadonlySet<boolean>,
): ReadonlySet<boolean> {
  const finals = new Set<boolean>();
  const seen = new Set<string>();
  const search = (left: readonly KeyOperation[], value: boolean): void => {
    const state = `${value} ${left.map((one) => operations.indexOf(one)).join()}`;
    if (seen.has(state)) return;
    seen.add(state);
    if (left.length === 0) {
      finals.add(value);
      return;
    }
    const firstEnd = Math.min(...left.map(({ ended }) => ended));
    for (const one of left) {
      // An operation that begins after another has ended comes after it.
      if (one.begun > firstEnd) continue;
      const rest = left.filter((other) => other !== one);
      if (one.does === 'read') {
        if (one.value === value) search(rest, value);
        continue;
      }
      search(rest, one.value);
      if (one.does === 'may-set') search(rest, value);
    }
  };
  for (const value of initial) search(operations, value);
  return finals;
}

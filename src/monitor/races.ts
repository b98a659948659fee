import type { KnownPair } from './model.ts';

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
    const begins = pair.family.disturbed === undefined && pair.family.latest === pair && pair.presented === 0;
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

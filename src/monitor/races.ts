import type { KnownPair } from './model.ts';

/** Rightful refreshes with the token of one pair. */
interface Race {
  inFlight: number;
  overlapped: boolean;
  /** Something else may have made what was given void. */
  unclear: boolean;
  /** What was given, in the order of the answers. */
  readonly given: KnownPair[];
}

/**
 * Refreshes at once with one and the same refresh token: a service may refuse all but one. Where it answers several with different
 * tokens, the last answer is the latest token response, and its refresh token must refresh (clause 4.3).
 */
export class Races {
  readonly #races = new WeakMap<KnownPair, Race>();
  readonly #raceOf = new WeakMap<KnownPair, Race>();

  /** A rightful refresh is sent. */
  sent(pair: KnownPair): void {
    const begins = pair.family.disturbed === undefined && pair.family.latest === pair && pair.presented === 0;
    const race = this.#races.get(pair) ?? { inFlight: 0, overlapped: false, unclear: !begins, given: [] };
    this.#races.set(pair, race);
    if (race.inFlight > 0) race.overlapped = true;
    else if (race.given.length > 0) race.unclear = true;
    race.inFlight += 1;
  }

  /** It was answered; without tokens, and not refused either, where `unclear`. */
  answered(pair: KnownPair, unclear: boolean): void {
    const race = this.#races.get(pair);
    if (race === undefined) return;
    race.inFlight -= 1;
    if (unclear) race.unclear = true;
  }

  /** It gave tokens. */
  gave(pair: KnownPair, next: KnownPair): void {
    const race = this.#races.get(pair);
    if (race === undefined) return;
    race.given.push(next);
    this.#raceOf.set(next, race);
  }

  /** Whether a pair is the latest of several that were given at once, none of which was presented yet. */
  isLatest(pair: KnownPair): boolean {
    const race = this.#raceOf.get(pair);
    if (race === undefined || !race.overlapped || race.unclear || race.inFlight > 0) return false;
    return (
      race.given.length > 1 && race.given.at(-1) === pair && race.given.every((one) => one.presented === 0)
    );
  }
}

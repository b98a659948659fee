import type { Random } from './random.ts';

/** Draws values without replacement, so that each comes once before any comes twice. */
export class Deck<T> {
  readonly #all: readonly [T, ...T[]];
  readonly #random: Random;
  #left: T[] = [];

  constructor(all: readonly [T, ...T[]], random: Random) {
    this.#all = all;
    this.#random = random;
  }

  next(): T {
    if (this.#left.length === 0) this.#left = [...this.#random.shuffled(this.#all)];
    return this.#left.pop() ?? this.#all[0];
  }
}

export class Decks {
  readonly #random: Random;
  readonly #decks = new Map<readonly unknown[], Deck<unknown>>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param all always the same array */
  next<T>(all: readonly [T, ...T[]]): T {
    const deck = this.#decks.get(all) ?? new Deck<unknown>(all, this.#random);
    this.#decks.set(all, deck);
    return deck.next() as T;
  }
}

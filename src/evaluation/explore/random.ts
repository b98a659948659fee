/** Generates the same numbers on every machine for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to, but excluding, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  oneOf<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }

  weighted<K>(weights: readonly (readonly [K, number])[]): K | undefined {
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    let at = this.next() * total;
    for (const [key, weight] of weights) {
      at -= weight;
      if (at < 0) return key;
    }
    return weights.at(-1)?.[0];
  }

  shuffled<T>(items: readonly T[]): readonly T[] {
    const left = [...items];
    return items.map(() => left.splice(this.below(left.length), 1)[0] as T);
  }
}

/** Draws the values of arrays without replacement, so that each comes once before any comes twice. */
export class Decks {
  readonly #random: Random;
  readonly #left = new Map<readonly unknown[], unknown[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param all always the same array, which is not empty */
  next<T>(all: readonly T[]): T {
    const known = this.#left.get(all) ?? [];
    const left = known.length > 0 ? known : [...this.#random.shuffled(all)];
    this.#left.set(all, left);
    return left.pop() as T;
  }
}

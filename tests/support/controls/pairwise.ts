/**
 * A pairwise covering set: rows that choose one value of every factor, such that any two values of any two factors stand
 * together in some row. Most faults of interplay need two answers, and all combinations would be astronomically many.
 *
 * Greedy and deterministic: the same sizes give the same rows.
 *
 * @param sizes number of values of each factor, from 1
 * @returns rows of value indices, one per factor
 */
export function pairwise(sizes: readonly number[]): readonly (readonly number[])[] {
  const open = new OpenPairs(sizes);
  const rows: number[][] = [];
  const largestFirst = sizes.map((_, factor) => factor).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  for (let seed = open.first(); seed !== undefined; seed = open.first()) {
    const row = new Array<number | undefined>(sizes.length).fill(undefined);
    row[seed.factor] = seed.value;
    row[seed.otherFactor] = seed.otherValue;
    for (const factor of largestFirst) {
      row[factor] ??= best(open, row, factor, sizes[factor] ?? 0);
    }
    const whole = row.map((value) => value ?? 0);
    open.close(whole);
    rows.push(whole);
  }
  return rows.length === 0 && sizes.length > 0 ? singles(sizes) : rows;
}

/** One factor has no pairs: each of its values is a row. */
function singles(sizes: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: sizes[0] ?? 0 }, (_, value) => [value]);
}

/** The value that stands together with most of what the row has already, for the first time. */
function best(open: OpenPairs, row: readonly (number | undefined)[], factor: number, size: number): number {
  let chosen = 0;
  let most = -1;
  for (let value = 0; value < size; value += 1) {
    // A value with many open pairs left goes first where the row itself does not decide.
    const gain = open.gain(row, factor, value) * 10_000 + open.left(factor, value);
    if (gain <= most) continue;
    most = gain;
    chosen = value;
  }
  return chosen;
}

interface Pair {
  readonly factor: number;
  readonly value: number;
  readonly otherFactor: number;
  readonly otherValue: number;
}

/** The pairs of values that no row has yet. */
class OpenPairs {
  readonly #open = new Map<string, Pair>();
  readonly #left = new Map<string, number>();

  constructor(sizes: readonly number[]) {
    sizes.forEach((size, factor) => {
      sizes.slice(factor + 1).forEach((otherSize, offset) => {
        const otherFactor = factor + 1 + offset;
        for (let value = 0; value < size; value += 1) {
          for (let otherValue = 0; otherValue < otherSize; otherValue += 1) {
            this.#open.set(key(factor, value, otherFactor, otherValue), {
              factor,
              value,
              otherFactor,
              otherValue,
            });
            this.#count(factor, value, 1);
            this.#count(otherFactor, otherValue, 1);
          }
        }
      });
    });
  }

  first(): Pair | undefined {
    return this.#open.values().next().value;
  }

  /** Number of open pairs of a value. */
  left(factor: number, value: number): number {
    return this.#left.get(`${factor}=${value}`) ?? 0;
  }

  /** How many open pairs a value would close beside the values that a row has already. */
  gain(row: readonly (number | undefined)[], factor: number, value: number): number {
    let gain = 0;
    row.forEach((other, otherFactor) => {
      if (other !== undefined && otherFactor !== factor && this.#has(factor, value, otherFactor, other))
        gain += 1;
    });
    return gain;
  }

  close(row: readonly number[]): void {
    row.forEach((value, factor) => {
      for (let otherFactor = factor + 1; otherFactor < row.length; otherFactor += 1) {
        const otherValue = row[otherFactor] ?? 0;
        if (!this.#open.delete(key(factor, value, otherFactor, otherValue))) continue;
        this.#count(factor, value, -1);
        this.#count(otherFactor, otherValue, -1);
      }
    });
  }

  #has(factor: number, value: number, otherFactor: number, otherValue: number): boolean {
    return this.#open.has(
      factor < otherFactor
        ? key(factor, value, otherFactor, otherValue)
        : key(otherFactor, otherValue, factor, value),
    );
  }

  #count(factor: number, value: number, by: number): void {
    this.#left.set(`${factor}=${value}`, this.left(factor, value) + by);
  }
}

function key(factor: number, value: number, otherFactor: number, otherValue: number): string {
  return `${factor}=${value} ${otherFactor}=${otherValue}`;
}

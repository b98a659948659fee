/** One measurement over several rounds. Higher is worse. */
export interface Measurement {
  readonly name: string;
  readonly unit: 'ms' | 'µs' | 'MB' | 's';
  /** One value a round. */
  readonly rounds: readonly number[];
  readonly note?: string;
}

/** The limit of a figure: at most `limit`, or for `at-least` never less. */
export interface Target {
  readonly name: string;
  readonly kind: 'at-most' | 'at-least';
  readonly limit: number;
  /** Empty for a ratio. */
  readonly unit: '' | 'MB';
  /** One value a round; the median must meet the limit. */
  readonly rounds: readonly number[];
}

/** A group of measurements, with targets for them. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly measurements: readonly Measurement[];
  readonly targets: readonly Target[];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN;
  return (low + high) / 2;
}

export function isMet({ kind, limit, rounds }: Target): boolean {
  const value = median(rounds);
  return kind === 'at-most' ? value <= limit : value >= limit;
}

/** `a` divided by `b`, round by round: a disturbance of the machine affects both. */
export function ratios(a: readonly number[], b: readonly number[]): readonly number[] {
  return a.slice(0, b.length).map((value, round) => value / (b[round] ?? Number.NaN));
}

/** A target for `a` relative to `b`. */
export function ratioTarget(
  kind: Target['kind'],
  limit: number,
  name: string,
  a: readonly number[],
  b: readonly number[],
): Target {
  return { name, kind, limit, unit: '', rounds: ratios(a, b) };
}

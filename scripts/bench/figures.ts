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
function ratios(a: readonly number[], b: readonly number[]): readonly number[] {
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

/** A group as text: what was measured, and whether each target is met. */
export function groupText(group: Group): string {
  const [first] = group.measurements;
  const measured = [
    ['', 'median', 'min', 'max', 'ratio', ''],
    ...group.measurements.map((measurement) => measurementCells(measurement, first)),
  ];
  const held = [
    ['', 'median', 'min', 'max', 'target', ''],
    ...group.targets.map((target) => targetCells(target)),
  ];
  return `\n${group.title}\n\n${table(measured)}\n\n${table(held)}\n`;
}

function measurementCells({ name, unit, rounds, note }: Measurement, first: Measurement | undefined) {
  const ratio = first?.unit === unit ? `${format(median(rounds) / median(first.rounds))} x` : '';
  return [name, ...spread(rounds, unit), ratio, note ?? ''];
}

function targetCells(target: Target) {
  const unit = target.unit === '' ? 'x' : target.unit;
  const limit = `${target.kind === 'at-most' ? '<=' : '>='} ${target.limit} ${unit}`;
  return [target.name, ...spread(target.rounds, unit), limit, isMet(target) ? 'met' : 'MISSED'];
}

function spread(rounds: readonly number[], unit: string): readonly string[] {
  return [median(rounds), Math.min(...rounds), Math.max(...rounds)].map((v) => `${format(v)} ${unit}`);
}

/** More digits would be noise. */
function format(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** The first and the last column to the left, figures to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => {
          const left = i === 0 || i === row.length - 1;
          return left ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}

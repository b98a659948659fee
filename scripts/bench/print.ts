import { type Group, isMet, type Measurement, median, type Target } from './figures.ts';

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

import type { ProvenDefect } from '../second-order/define-second-order.ts';
import type { ExploreRow, SeedRow } from './explore-defect.ts';

/** Requests at which it is counted what exploration has found. */
const MOMENTS = [300, 2_500, 5_000] as const;

/** Shares of seeds that must find a defect by default, and at length; and of defects that must be found so. */
const BY_DEFAULT = { requests: 2_500, seeds: 16 / 20, defects: 0.8 } as const;
const AT_LENGTH = { requests: 5_000, seeds: 18 / 20, defects: 0.95 } as const;
const LISTED = 0.9;

/** The table for a terminal or a log: what finds each defect, then the counts by class. */
export function provenText(facts: readonly ProvenDefect[], rows: readonly ExploreRow[]): string {
  const classes = [...new Set(facts.map((one) => one.class ?? 'other'))];
  const of = (kind: string) =>
    rows.filter((row) => facts.find(({ id }) => id === row.defect)?.class === kind);
  const head = 'class        defects  checks  monitors     300    2500    5000  listed   2500 or monitors';
  return [
    ...classes.flatMap((kind) => [kind, ...of(kind).map(rowLine), '']),
    head,
    ...classes.map((kind) => countLine(kind, facts, of(kind))),
    countLine('all', facts, rows),
  ].join('\n');
}

/** The missed targets, one sentence each. */
export function shortfalls(facts: readonly ProvenDefect[], rows: readonly ExploreRow[]): readonly string[] {
  const share = (count: number) => count / Math.max(1, rows.length);
  const short = (what: string, is: number, wanted: number) =>
    is >= wanted ? [] : [`${what}: ${(is * 100).toFixed(0)} %, wanted ${wanted * 100} %`];
  return [
    ...short(
      'found by monitors, or by default',
      share(rows.filter(foundByDefault).length),
      BY_DEFAULT.defects,
    ),
    ...short('found at length', share(rows.filter(foundAtLength).length), AT_LENGTH.defects),
    ...short(
      'with an id that is listed',
      share(rows.filter((row) => namedRightly(row, facts)).length),
      LISTED,
    ),
    ...rows
      .filter((row) => !shows(row))
      .map(({ defect }) => `${defect}: nothing shows it; is it still there?`),
  ];
}

/** True if a check, another exchange or one exploration found the defect: then its code has an effect. */
function shows({ checks, monitors, seeds }: ExploreRow): boolean {
  return checks.length > 0 || monitors.length > 0 || seeds.some(({ found }) => found !== undefined);
}

function rowLine(row: ExploreRow): string {
  const counts = MOMENTS.map((most) => seedsWithin(row, most, 'found'));
  const listed = seedsWithin(row, AT_LENGTH.requests, 'listed');
  const other = [...new Set(row.seeds.flatMap(({ ids }) => ids))];
  const parts = [
    `seeds ${counts.join('/')} of ${row.seeds.length}, listed ${listed}`,
    ...(row.checks.length > 0 ? [`own checks: ${row.checks.join(', ')}`] : []),
    ...(row.monitors.length > 0 ? [`monitors: ${row.monitors.join(', ')}`] : []),
    ...(other.length > 0 ? [`explored: ${other.join(', ')}`] : []),
  ];
  return `  ${row.defect}\n      ${parts.join('\n      ')}`;
}

function countLine(name: string, facts: readonly ProvenDefect[], rows: readonly ExploreRow[]): string {
  const number = (count: number, width: number) => String(count).padStart(width);
  const reached = (most: number, share: number) => rows.filter((row) => found(row, most, share)).length;
  return [
    name.padEnd(12),
    number(rows.length, 8),
    number(rows.filter(({ checks }) => checks.length > 0).length, 8),
    number(rows.filter(({ monitors }) => monitors.length > 0).length, 10),
    number(reached(300, BY_DEFAULT.seeds), 8),
    number(reached(BY_DEFAULT.requests, BY_DEFAULT.seeds), 8),
    number(reached(AT_LENGTH.requests, AT_LENGTH.seeds), 8),
    number(rows.filter((row) => namedRightly(row, facts)).length, 8),
    number(rows.filter(foundByDefault).length, 19),
  ].join('');
}

function foundByDefault(row: ExploreRow): boolean {
  return row.monitors.length > 0 || found(row, BY_DEFAULT.requests, BY_DEFAULT.seeds);
}

function foundAtLength(row: ExploreRow): boolean {
  return row.monitors.length > 0 || found(row, AT_LENGTH.requests, AT_LENGTH.seeds);
}

function namedRightly(row: ExploreRow, facts: readonly ProvenDefect[]): boolean {
  const breaks = facts.find(({ id }) => id === row.defect)?.breaks ?? [];
  if (row.monitors.some((id) => breaks.includes(id))) return true;
  return seedsWithin(row, AT_LENGTH.requests, 'listed') >= Math.ceil(row.seeds.length * AT_LENGTH.seeds);
}

function found(row: ExploreRow, most: number, share: number): boolean {
  return row.seeds.length > 0 && seedsWithin(row, most, 'found') >= Math.ceil(row.seeds.length * share);
}

function seedsWithin({ seeds }: ExploreRow, most: number, what: 'found' | 'listed'): number {
  return seeds.filter((seed: SeedRow) => (seed[what] ?? Number.POSITIVE_INFINITY) <= most).length;
}

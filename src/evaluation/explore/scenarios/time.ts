import type { Script } from '../script.ts';

const LAST_SECOND = 7_199;

/** Ranges in seconds, from moments over both ends of a token's life to weeks. */
const WAITS: readonly Range[] = [
  [1, 9],
  [30, 90],
  [310, 900],
  [1_500, 2_500],
  [2_500, 5_000],
  [3_601, 7_000],
  [LAST_SECOND, LAST_SECOND],
  [7_201, 7_201],
  [7_300, 7_700],
  [14_500, 16_000],
  [22_000, 40_000],
  [86_500, 93_000],
  [600_000, 1_000_000],
  [2_000_000, 5_000_000],
];

type Range = readonly [from: number, to: number];

/** Seconds within which a code is expected to be honoured. */
const MOMENT = 9;

const LATER = [61, 3_601, 7_199, 7_201, 0, 0] as const;

const BEFORE_REFRESH = [5, 1_000, 7_150, 7_199] as const;

const IN_ITS_LIFE = [61, 3_601, 7_199] as const;

const MOST_USED = 12;

export function timePasses(script: Script): void {
  const { supply } = script;
  const { random, decks } = supply;
  const [project, user, gone, late] = [supply.project(), ...random.shuffled(supply.users)];
  if (user === undefined || gone === undefined) return;
  const [from, to] = decks.next(WAITS);
  const code = script.code();
  // A code is still honoured some seconds later, and its token's life begins then: the last second shows that.
  script.maybe(from === LAST_SECOND ? 1 : 0.5, () => script.wait(2 + random.below(MOMENT - 1)));
  const pair = script.exchange(code);
  script.change('assign', project, user, pair);
  script.change('assign', project, gone, pair);
  script.change('unassign', project, gone, pair);
  script.maybe(0.5, () => script.list(project, pair));
  const seconds = from + random.below(to - from + 1);
  script.wait(seconds);
  for (const live of supply.liveTokens().slice(0, MOST_USED)) script.list(project, live);
  script.list(project, pair);
  script.maybe(0.6, () => script.change('assign', project, late ?? user, pair));
  const next = script.refresh(pair);
  script.list(project, next);
  script.maybe(0.7, () => script.list(project, pair));
  const reader = seconds > 7_000 ? script.pair({ application: 0 }).pair : next;
  if (reader !== next) script.list(project, reader);
  script.maybe(0.5, () => {
    script.change('assign', project, user, reader);
    script.list(project, reader);
  });
  if (supply.refusals) script.maybe(0.7, () => script.exchange(code));
  const later = decks.next(LATER);
  if (later > 0) {
    script.wait(later);
    script.list(project, next);
  }
  const last = later > 7_000 ? script.pair({ application: 0 }).pair : reader;
  script.change('unassign', project, user, last);
  script.list(project, last);
}

export function lateRefresh(script: Script): void {
  const { decks } = script.supply;
  if (!script.supply.early) return;
  const project = script.supply.project();
  const { pair } = script.pair();
  script.wait(decks.next(BEFORE_REFRESH));
  const next = script.refresh(pair);
  script.list(project, next);
  script.wait(decks.next(IN_ITS_LIFE));
  script.list(project, next);
  script.wait(7_201);
  script.list(project, next);
  // The old token expires like any other, although it was refreshed.
  script.list(project, pair);
}

export function datePasses(script: Script): void {
  const { random, users } = script.supply;
  const [project, user] = [script.supply.project(), random.oneOf(users)];
  beforeBoundary(script);
  const { pair } = script.pair();
  script.change('assign', project, user, pair);
  script.wait(random.oneOf([100, 1_900, 3_600]));
  script.list(project, pair);
  script.change('unassign', project, user, pair);
  script.wait(5_400);
  script.list(project, pair);
  script.wait(1_900);
  script.list(project, pair);
  const next = script.refresh(pair);
  script.list(project, next);
}

/** Moments that calendars often get wrong (UTC). */
const BOUNDARIES: readonly Boundary[] = [
  { hour: 0, is: () => true },
  { hour: 0, is: () => true },
  { hour: 3, is: () => true },
  { hour: 0, is: (date) => date.getUTCDate() === 1 },
  { hour: 0, is: (date) => date.getUTCMonth() === 1 && date.getUTCDate() === 29 },
  { hour: 0, is: (date) => date.getUTCMonth() === 0 && date.getUTCDate() === 1 },
  { hour: 1, is: (date) => date.getUTCMonth() === 2 && isLastSunday(date) },
  { hour: 1, is: (date) => date.getUTCMonth() === 9 && isLastSunday(date) },
];

interface Boundary {
  readonly hour: number;
  readonly is: (date: Date) => boolean;
}

function isLastSunday(date: Date): boolean {
  return date.getUTCDay() === 0 && date.getUTCDate() >= 25;
}

const AROUND = [-3_000, -1_000, -30, 600] as const;

function beforeBoundary(script: Script): void {
  const { decks, target } = script.supply;
  const now = target.clock?.now?.();
  if (now === undefined) return;
  const at = nextAfter(now + 4_000, decks.next(BOUNDARIES));
  script.wait(Math.max(1, Math.floor(at - now + decks.next(AROUND))));
}

const DAY = 86_400;

function nextAfter(now: number, { hour, is }: Boundary): number {
  for (let day = Math.floor(now / DAY); ; day += 1) {
    const at = day * DAY + hour * 3_600;
    if (at > now && is(new Date(at * 1_000))) return at;
  }
}

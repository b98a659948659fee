import type { HistoryFile } from '../../generated/schemas.d.ts';
import type { Results, Verdict } from './results.ts';

export type History = HistoryFile;

export interface InconclusiveLimit {
  readonly unit: 'nights' | 'days';
  readonly count: number;
}

const MOST_RUNS = 60;

const DAY_MS = 86_400_000;

/** Parses `3` (nights) or `3d` (days since the last conclusive run); undefined for other texts. */
export function inconclusiveLimit(text: string): InconclusiveLimit | undefined {
  const [, digits, unit] = /^([1-9]\d?)(d?)$/.exec(text) ?? [];
  const count = Number(digits);
  if (digits === undefined || count > MOST_RUNS) return undefined;
  return { unit: unit === 'd' ? 'days' : 'nights', count };
}

function limitText({ unit, count }: InconclusiveLimit): string {
  return unit === 'days' ? `${count}d` : String(count);
}

/**
 * Compares a finished run with the history.
 *
 * @param run with its own verdict
 * @param limit undefined: the history changes no exit code
 */
export function consulted(
  history: History,
  run: { readonly startedAt: string; readonly verdict: Verdict },
  limit: InconclusiveLimit | undefined,
): NonNullable<Results['history']> {
  const { lastConclusive } = history;
  const last = lastConclusive && { startedAt: lastConclusive.startedAt, verdict: lastConclusive.verdict };
  const concluded = isConclusive(run.verdict);
  const open = history.runs.slice(history.runs.findLastIndex(({ verdict }) => isConclusive(verdict)) + 1);
  const days = [...open.map(({ startedAt }) => dayOf(startedAt)), dayOf(run.startedAt)];
  const nights = concluded ? 0 : new Set(days).size;
  const first = last?.startedAt ?? open[0]?.startedAt ?? run.startedAt;
  const age = (Date.parse(dayOf(run.startedAt)) - Date.parse(dayOf(first))) / DAY_MS;
  const counted = limit?.unit === 'days' ? age : nights;
  const reached = run.verdict === 'inconclusive' && limit !== undefined && counted >= limit.count;
  return {
    inconclusiveNights: nights,
    ...(last !== undefined && { lastConclusive: last }),
    ...(limit !== undefined && { limit: limitText(limit) }),
    ...(reached && { reached: reachedText(limit, nights, age, last?.startedAt) }),
    changes: [],
  };
}

function reachedText(
  limit: InconclusiveLimit,
  nights: number,
  age: number,
  last: string | undefined,
): string {
  const long = limit.unit === 'days' ? `${age} days` : `${nights} ${nights === 1 ? 'night' : 'nights'}`;
  const since =
    last === undefined
      ? 'no run has come to a conclusion yet'
      : `the last conclusive run was on ${dayOf(last)}`;
  return `the target could not be evaluated for ${long} (${since}), and --inconclusive-limit ${limitText(limit)} counts that`;
}

export function withRun(history: History, results: Results, own: Verdict): History {
  const { startedAt, suiteVersion, catalogueDigest, requirements } = results;
  const run = { startedAt, verdict: own, suiteVersion };
  const last = history.runs.at(-1);
  // A night with three attempts is one night.
  const again =
    last !== undefined &&
    dayOf(last.startedAt) === dayOf(startedAt) &&
    !isConclusive(last.verdict) &&
    !isConclusive(own);
  const runs = [...(again ? history.runs.slice(0, -1) : history.runs), run].slice(-MOST_RUNS);
  if (!isConclusive(own)) return { ...history, runs };
  return {
    ...history,
    runs,
    lastConclusive: {
      startedAt,
      verdict: own,
      suiteVersion,
      catalogueDigest,
      requirements: requirements.map(({ id, level, result, signature }) => ({
        id,
        level,
        result,
        ...(signature !== undefined && { signature }),
      })),
    },
  };
}

function isConclusive(verdict: Verdict): verdict is 'conforms' | 'retired' | 'violates' {
  return verdict === 'conforms' || verdict === 'retired' || verdict === 'violates';
}

function dayOf(instant: string): string {
  return instant.slice(0, 10);
}

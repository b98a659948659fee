import type { HistoryFile } from '../../generated/schemas.d.ts';
import type { Results, Verdict } from './results.ts';

export type History = HistoryFile;

const MOST_RUNS = 60;

/** Compares a finished run with the history. @param run with its own verdict */
export function consulted(
  { runs, lastConclusive: last }: History,
  run: { readonly startedAt: string; readonly verdict: Verdict },
): NonNullable<Results['history']> {
  const open = runs.slice(runs.findLastIndex(({ verdict }) => isConclusive(verdict)) + 1);
  const days = [...open.map(({ startedAt }) => dayOf(startedAt)), dayOf(run.startedAt)];
  return {
    inconclusiveNights: isConclusive(run.verdict) ? 0 : new Set(days).size,
    ...(last !== undefined && { lastConclusive: { startedAt: last.startedAt, verdict: last.verdict } }),
    changes: [],
  };
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

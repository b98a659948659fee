import { existsSync } from 'node:fs';
import type { HistoryFile } from '../../../generated/schemas.d.ts';
import { validateHistory } from '../../../generated/validators.js';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { loadYaml } from '../../document/load-yaml.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { comparisonLines } from '../../report/compare/changes.ts';
import { compareResults } from '../../report/compare/results.ts';
import { printableJson } from '../../report/printable.ts';
import type { Results, Verdict } from '../../report/results.ts';
import { assembleResults, type Run, verdictOf } from '../../report/verdict.ts';
import { writeSearched } from '../shared/write-files.ts';

const MOST_CHANGES = 20;

/** Reads a history, or begins one. @throws UsageError for the history of another target or selection */
export function loadHistory(file: string, target: string, of: History['of'], now = Date.now()): History {
  if (!existsSync(file)) return { schemaVersion: '1.0', target, of, runs: [] };
  const history = loadYaml(file, validateHistory);
  const refused = (expected: string, actual: string) =>
    new UsageError(
      `--history: ${file}: expected ${expected}, got ${actual}; name another file, or remove it`,
    );
  if (history.target !== target)
    throw refused(`the history of ${JSON.stringify(target)}`, `that of ${JSON.stringify(history.target)}`);
  if (history.of !== of) throw refused(`runs that are ${of}`, `runs that are ${history.of}`);
  const late = history.runs.find(({ startedAt }) => Date.parse(startedAt) > now + 86_400_000);
  if (late !== undefined) throw refused('runs of the past', `one of ${late.startedAt}`);
  return history;
}

/** Compares a finished run with the history. */
export function historyOf(run: Run, history: History): Results['history'] {
  const { verdict } = verdictOf(run);
  const { runs, lastConclusive: last } = history;
  const open = runs.slice(runs.findLastIndex((one) => isConclusive(one.verdict)) + 1);
  const days = [...open.map(({ startedAt }) => dayOf(startedAt)), dayOf(run.startedAt)];
  return {
    inconclusiveNights: isConclusive(verdict) ? 0 : new Set(days).size,
    lastConclusive: last && { startedAt: last.startedAt, verdict: last.verdict },
    changes: verdict === 'conforms' || verdict === 'violates' ? changesSince(history, run) : [],
  };
}

function changesSince({ lastConclusive, of, target }: History, run: Run): readonly string[] {
  if (lastConclusive === undefined) return [];
  const selection = of === 'complete' ? 'complete' : 'partial';
  const before = assembleResults({
    ...run,
    ...lastConclusive,
    selection,
    target: { ...run.target, name: target },
    requirements: lastConclusive.requirements.map((result) => ({
      ...result,
      clause: '-',
      reason: result.signature ?? '-',
      durationMs: 0,
      evidence: [],
    })),
    observations: [],
    history: undefined,
  });
  const after = assembleResults({ ...run, selection, observations: [] });
  const lines = comparisonLines(compareResults(before, after, loadCatalogue()));
  return lines.length <= MOST_CHANGES
    ? lines
    : [...lines.slice(0, MOST_CHANGES - 1), `and ${lines.length - MOST_CHANGES + 1} more`];
}

/** Adds a run to the history. Returns why it could not be written. */
export async function keepHistory(
  file: string,
  history: History,
  results: Results,
  own: Verdict,
  secrets: SecretRegistry,
): Promise<string | undefined> {
  const verdict = results.verdict === 'broken' ? 'broken' : own;
  const text = `${printableJson(JSON.stringify(withAddedRun(history, results, verdict), null, 1))}\n`;
  return (await writeSearched(file, text, secrets))[0];
}

/** The results of earlier runs, as `--history` keeps them. */
export type History = HistoryFile;

const MOST_RUNS = 60;

/** Returns the history with a run. Several runs without a conclusion on one day count once. */
export function withAddedRun(history: History, results: Results, own: Verdict): History {
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
        signature,
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

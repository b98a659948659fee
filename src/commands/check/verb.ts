import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { isRepeatable, withHistory } from '../../report/policy.ts';
import { EXIT, type ExitCode, type Run, verdictOf } from '../../report/verdict.ts';
import { withStartingBrowser } from '../shared/browser.ts';
import { printSandboxNote } from '../shared/connection.ts';
import { proposeDeviations } from '../shared/known-deviations.ts';
import { printBeside, printError } from '../shared/print.ts';
import { startProgress, type Work } from '../shared/progress.ts';
import { type ReportOptions, reportRun } from '../shared/report-results.ts';
import { holdsForeignPage, writeWhole } from '../shared/write-files.ts';
import { type History, historyOf, keepHistory } from './history.ts';
import { type CheckRequest, type ResolvedCheck, resolveCheck } from './resolve.ts';
import { runResolved } from './run.ts';

/**
 * The verb `check`. A usage error also goes into `junit.xml`: a build server that shows only test results would otherwise show
 * those of an earlier run.
 *
 * @param browser for the emulator: it starts while the options are resolved, and the caller ends it
 */
export async function checkTarget(
  request: ReportedCheck,
  browser: Promise<Browser> | undefined,
): Promise<ExitCode> {
  try {
    return await runAndReport(request, browser);
  } catch (error) {
    if (error instanceof UsageError) {
      const { usageJUnit } = await import('../../report/junit.ts');
      const text = usageJUnit(error.message);
      // The folder itself may be unusable.
      if (!holdsForeignPage(request.report))
        await writeWhole(join(request.report, 'junit.xml'), text).catch(() => undefined);
    }
    throw error;
  }
}

type ReportedCheck = CheckRequest & Pick<ReportOptions, 'report'>;

async function runAndReport(
  request: ReportedCheck,
  browser: Promise<Browser> | undefined,
): Promise<ExitCode> {
  const check = await resolveCheck(request);
  const out = request.json ? process.stderr : process.stdout;
  const progress = request.quiet ? undefined : startProgress(workOn(check, request), out);
  const { run: once, secrets } = await runResolved(check, {
    ...request,
    browser,
    onBrowser: printSandboxNote,
    onProgress: ({ id, clause }) => progress?.done(id, clauseWords(clause)),
    onWaiting: (secondsLeft) => progress?.waiting(secondsLeft),
  });
  progress?.end();
  const { history } = check;
  const run = history === undefined ? once : await withSecondRun(once, request, history);
  const results = await reportRun({ run, secrets }, request);
  if (request.proposeDeviations !== undefined && !check.plan.drill) {
    const proposed = await proposeDeviations(request.proposeDeviations, run, secrets);
    printBeside(request.json, `${proposed}\n`);
  }
  const own = verdictOf(once).verdict;
  if (request.history === undefined || history === undefined) return results.exitCode;
  const unkept = await keepHistory(request.history, history, results, own, secrets);
  if (unkept === undefined) return results.exitCode;
  printError(`--history: ${unkept}\n`);
  return EXIT.broken;
}

/** Adds what a second run of the failed checks shows. A crash in it breaks the run, and loses no result. */
async function withSecondRun(once: Run, request: CheckRequest, history: History): Promise<Run> {
  try {
    const again = await repeatFailures(once, request);
    return withHistory(once, { again, historyOf: (one) => historyOf(one, history) });
  } catch (error) {
    const message = `the second run of the failed checks ended in an error: ${String(error)}`;
    return { ...once, troubles: [...once.troubles, { kind: 'broken', message }] };
  }
}

/** Runs the checks that failed a second time. Returns undefined if none failed, or why the options do not allow it. */
export async function repeatFailures(run: Run, request: CheckRequest): Promise<Run | string | undefined> {
  const only = run.requirements.filter(isRepeatable).map(({ id }) => id);
  // A smoke run promises one flow with few requests.
  if (only.length === 0 || request.smoke || request.signal?.aborted === true) return undefined;
  const { target, env, signal, verbose } = request;
  const without = { like: undefined, replay: undefined, history: undefined, proposeDeviations: undefined };
  try {
    return await withStartingBrowser(
      target === 'emulator',
      async (browser) => {
        const check = await resolveCheck({ ...request, ...without, only, workers: 1, explore: 0 });
        return (await runResolved(check, { env, signal, verbose, browser })).run;
      },
      env,
    );
  } catch (error) {
    if (error instanceof UsageError) return error.name;
    throw error;
  }
}

function workOn({ selection }: ResolvedCheck, { verbose = false }: CheckRequest): Work {
  const clauses = loadCatalogue().clauses.map(
    ({ clause, requirements }) =>
      [clauseWords(clause), requirements.filter(({ id }) => selection.ids.includes(id)).length] as const,
  );
  return { what: 'checking', groups: new Map(clauses), plain: verbose };
}

function clauseWords(clause: string): string {
  return `clause ${clause}`;
}

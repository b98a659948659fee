import { join } from 'node:path';
import { commandFor } from '../../document/input/program-name.ts';
import { unlessPlain } from '../../document/input/shell-quotes.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { explanationOf } from '../../document/load-explanations.ts';
import { withHistory } from '../../report/policy.ts';
import type { Results } from '../../report/results.ts';
import { EXIT, type ExitCode, verdictOf } from '../../report/verdict.ts';
import { DRILL_VARIABLE } from '../../service/open-target.ts';
import { proposeDeviations, requireNoSuchFile } from '../shared/known-deviations.ts';
import { printSandboxNote } from '../shared/prepare.ts';
import { print, printError } from '../shared/print.ts';
import { type Progress, startProgress, type Work } from '../shared/progress.ts';
import { type ReportOptions, reportResults, writeSequences } from '../shared/report-results.ts';
import {
  holdsForeignPage,
  requireReportFolder,
  requireWritableFile,
  writeWhole,
} from '../shared/write-files.ts';
import { type History, historyOf, keepHistory, loadHistory, repeatFailures } from './history.ts';
import { type CheckedTarget, type CommandOptions, checkedTarget } from './run.ts';

interface CheckRequest extends CommandOptions, Omit<ReportOptions, 'verbose'> {
  readonly target: string;
  readonly report: string;
  readonly proposeDeviations: string | undefined;
  readonly history?: string | undefined;
}

export async function reportRun(
  { run, secrets }: CheckedTarget,
  { target, ...options }: ReportOptions & { readonly target: string },
): Promise<Results> {
  const results = await reportResults(run, { ...loadCatalogue(), explain: explanationOf }, secrets, options);
  for (const file of await writeSequences(results, options.report))
    (options.json ? printError : print)(
      `to replay this finding of the exploration: ${commandFor('explore', target === 'emulator' ? undefined : target, ` --replay ${unlessPlain(file)}`)}\n`,
    );
  return results;
}

/**
 * The verb `check`. A usage error also goes into `junit.xml`: a build server that shows only test results would otherwise show
 * those of an earlier run.
 */
export async function checkTarget(request: CheckRequest): Promise<ExitCode> {
  try {
    return await runAndReport(request);
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

async function runAndReport(request: CheckRequest): Promise<ExitCode> {
  requireNoSuchFile(request.proposeDeviations);
  const { report, history: asked } = request;
  if (asked !== undefined && (request.only ?? []).length > 0)
    throw new UsageError('--history: is of whole runs (or of --smoke), so it goes without --only');
  if (asked !== undefined) requireWritableFile('--history', asked);
  // Its results are not the service's.
  const isDrill = Boolean((request.env ?? process.env)[DRILL_VARIABLE]);
  const keeping = isDrill ? undefined : asked;
  let history: History | undefined;
  let progress: Progress | undefined;
  const first = await checkedTarget(request.target, {
    ...request,
    onSelected: (_, name, ids) => {
      if (keeping !== undefined) history = loadHistory(keeping, name, request.smoke ? 'smoke' : 'complete');
      requireReportFolder(report);
      if (request.proposeDeviations !== undefined)
        requireWritableFile('--propose-deviations', request.proposeDeviations);
      if (!request.quiet)
        progress = startProgress(workOn(ids, request), request.json ? process.stderr : process.stdout);
    },
    onBrowser: printSandboxNote,
    onProgress: ({ id, clause }) => progress?.done(id, clauseWords(clause)),
    onWaiting: (secondsLeft) => progress?.waiting(secondsLeft),
  });
  progress?.end();
  const own = verdictOf(first.run).verdict;
  const past = history;
  const run =
    past === undefined
      ? first.run
      : withHistory(first.run, {
          again: await repeatFailures(first, request.target, request),
          historyOf: (one) => historyOf(one, past),
        });
  const { secrets } = first;
  const results = await reportRun({ ...first, run }, request);
  if (request.proposeDeviations !== undefined && !isDrill) {
    const said = await proposeDeviations(request.proposeDeviations, run, secrets);
    (request.json ? printError : print)(`${said}\n`);
  }
  if (keeping === undefined || history === undefined || own === '-') return results.exitCode;
  const unkept = await keepHistory(keeping, history, results, own, secrets);
  if (unkept === undefined) return results.exitCode;
  printError(`--history: ${unkept}\n`);
  return EXIT.broken;
}

function workOn(ids: readonly string[], { verbose = false }: CheckRequest): Work {
  const clauses = loadCatalogue().clauses.map(
    ({ clause, requirements }) =>
      [clauseWords(clause), requirements.filter(({ id }) => ids.includes(id)).length] as const,
  );
  return { what: 'checking', groups: new Map(clauses), plain: verbose };
}

function clauseWords(clause: string): string {
  return `clause ${clause}`;
}

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { assembleResults } from '../../src/report/assemble.ts';
import { renderConsole, styleFor } from '../../src/report/console.ts';
import type { Results } from '../../src/report/results.ts';
import { type ExitCode, missingRequiredAbilities } from '../../src/report/verdict.ts';
import { appendSummary, renderReport } from '../../src/report/write.ts';
import { composeRun } from '../run/compose.ts';
import { startProgress } from '../run/progress.ts';
import { runConformance } from '../run/run-conformance.ts';
import { select } from '../run/selection.ts';
import { suiteVersion } from '../run/suite-version.ts';
import { withholdLeaks } from '../run/withhold.ts';
import { describeTarget, requireBrowser } from './prepare.ts';

/** What was asked of `check` on the command line. */
export interface CheckRequest {
  /** `emulator`, or the path of a configuration file. */
  readonly target: string;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly only: readonly string[];
  readonly strict: boolean;
  /** Folder of the report. */
  readonly report: string;
  /** Undefined: as many as there are cores on an emulator, one on a live target. */
  readonly workers: number | undefined;
  /** Lets the suite install a browser where there is none; only the repository's own scripts ask for it. */
  readonly installBrowser: boolean;
}

/** Milliseconds that one check may take. */
const CHECK_TIMEOUT_MS = { emulator: 60_000, live: 600_000 } as const;

/**
 * The verb `check`: checks a target, prints the verdict, writes the report.
 *
 * @returns the exit code
 * @throws UsageError (and its like) before anything is sent, when something about the request is wrong
 */
export async function check(request: CheckRequest): Promise<ExitCode> {
  const catalogue = loadCatalogue();
  const selection = select(catalogue, request.only);
  const { summary: intended, requireAbilities } = await describeTarget(request);
  const browser = await requireBrowser(request.installBrowser);
  const progress = startProgress(selection.ids.length, process.stdout);
  const startedAt = new Date();
  const begun = performance.now();
  const live = intended.kind === 'live';
  const collected = await runConformance(
    {
      target: live ? { file: resolve(request.target) } : 'emulator',
      profile: request.profile,
      defects: request.defects,
      only: selection.partial ? selection.ids : [],
      ...(browser.executablePath === undefined ? {} : { executablePath: browser.executablePath }),
    },
    {
      workers: live ? 1 : (request.workers ?? Math.max(1, availableParallelism())),
      checkTimeoutMs: live ? CHECK_TIMEOUT_MS.live : CHECK_TIMEOUT_MS.emulator,
      onResult: progress.result,
    },
  );
  progress.end();
  const heard = collected.target !== undefined;
  const lacking = heard ? missingRequiredAbilities(requireAbilities, collected.target.abilities) : [];
  const run = composeRun(catalogue, selection, collected, lacking, {
    suiteVersion: await suiteVersion(),
    strict: request.strict,
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    intended,
  });
  const { results, written } = await writeScanned(request.report, assembleResults(run), collected.secrets);
  const text = renderConsole(results, catalogue, {
    style: styleFor(process.env, process.stdout.isTTY),
    ...(written ? { reportPath: join(request.report, 'index.html') } : {}),
  });
  process.stdout.write(collected.secrets.redact(text));
  return results.exitCode;

  async function writeScanned(directory: string, first: Results, secrets: typeof collected.secrets) {
    const scanned = withholdLeaks(renderReport(first, catalogue), secrets);
    const results =
      scanned.leaks.length === 0
        ? first
        : assembleResults({
            ...run,
            troubles: [
              ...run.troubles,
              ...scanned.leaks.map((message) => ({ kind: 'broken' as const, message })),
            ],
          });
    await mkdir(directory, { recursive: true });
    const clean =
      scanned.leaks.length === 0
        ? scanned.clean
        : withholdLeaks(renderReport(results, catalogue), secrets).clean;
    for (const name of ['results.json', 'index.html', 'junit.xml'])
      await rm(join(directory, name), { force: true });
    for (const file of clean) await writeFile(join(directory, file.name), file.text);
    if (scanned.leaks.length === 0) await appendSummary(results, catalogue, process.env);
    return { results, written: clean.some((file) => file.name === 'index.html') };
  }
}

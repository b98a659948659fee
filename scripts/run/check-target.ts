import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { renderConsole, styleFor } from '../../src/report/console.ts';
import { type ExitCode, missingRequiredAbilities } from '../../src/report/verdict.ts';
import { composeRun } from './compose.ts';
import { describeTarget, requireBrowser } from './prepare.ts';
import { startProgress } from './progress.ts';
import { runConformance } from './run-conformance.ts';
import { select } from './selection.ts';
import { suiteVersion } from './suite-version.ts';
import { writeScanned } from './write-scanned.ts';

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
export async function checkTarget(request: CheckRequest): Promise<ExitCode> {
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
  const { results, hasPage } = await writeScanned(request.report, run, catalogue, collected.secrets);
  const text = renderConsole(results, catalogue, {
    style: styleFor(process.env, process.stdout.isTTY),
    ...(hasPage ? { reportPath: join(request.report, 'index.html') } : {}),
  });
  process.stdout.write(collected.secrets.redact(text));
  return results.exitCode;
}

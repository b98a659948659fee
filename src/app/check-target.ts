import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { UsageError } from '../cli/usage-error.ts';
import { withFrozen } from '../compare/frozen.ts';
import type { Configuration } from '../config/configuration.ts';
import { renderConsole, styleFor } from '../report/console.ts';
import { withKnownDeviations } from '../report/known-deviations.ts';
import { type ExitCode, missingRequiredAbilities } from '../report/verdict.ts';
import { misfit } from './budget-fit.ts';
import { composeRun } from './compose.ts';
import { loadKnownDeviations, proposeDeviations, requireNoSuchFile } from './known-deviations.ts';
import { risksFrom } from './observe-request.ts';
import { describeTarget, requireBrowser, requireBrowserForLive } from './prepare.ts';
import { startProgress } from './progress.ts';
import { frozenProfile } from './read-profile.ts';
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
  /** A live target without a clock: wait until tokens expire. */
  readonly waitExpiry: boolean;
  /** A live target: judge only what one walk of few requests shows. */
  readonly smoke: boolean;
  /** With `like`, on a live target: use old refresh tokens again, as the risk `revokes` does. */
  readonly probeReuse: boolean;
  /** Profile whose answers are binding, by id or file; undefined: open points are not judged. */
  readonly like: string | undefined;
  /** Risks that observing a live target may take, with `like`. */
  readonly risks: readonly string[];
  /** Folder of the report. */
  readonly report: string;
  /** Undefined: as many as there are cores on an emulator, one on a live target. */
  readonly workers: number | undefined;
  /** File with deviations that are accepted; the one beside the configuration when undefined. */
  readonly knownDeviations: string | undefined;
  /** File to write proposals to. */
  readonly proposeDeviations: string | undefined;
  /** Lets the suite install a browser where there is none; only the repository's own scripts ask for it. */
  readonly installBrowser: boolean;
}

/** Seconds that a run may go on after its budget is spent: to put things right and to end. */
const GRACE_SECONDS = 180;

/** Milliseconds that one check may take. */
const CHECK_TIMEOUT_MS = { emulator: 60_000, live: 600_000 } as const;

/** Seconds after which a run on a live target is stopped from outside: whatever hangs then heeds no budget. */
async function longest({ budget }: Configuration, { waitExpiry }: CheckRequest): Promise<number> {
  const seconds = budget.seconds + GRACE_SECONDS;
  if (!waitExpiry) return seconds;
  const [{ CHECKS }, { longestWait }] = await Promise.all([
    import('../conformance/index.ts'),
    import('../checks/run/longest-wait.ts'),
  ]);
  return seconds + longestWait(CHECKS);
}

/** What `--only` or `--smoke` selects; everything when empty. */
async function wanted({ target, only, smoke }: CheckRequest): Promise<readonly string[]> {
  if (!smoke) return only;
  if (target === 'emulator') throw new UsageError('--smoke: expected a live target (--target FILE)');
  if (only.length > 0) throw new UsageError('--smoke: selects by itself, so it goes without --only');
  const { SMOKE_CHECKS } = await import('../checks/run/smoke.ts');
  return SMOKE_CHECKS;
}

/**
 * The verb `check`: checks a target, prints the verdict, writes the report.
 *
 * @returns the exit code
 * @throws UsageError (and its like) before anything is sent, when something about the request is wrong
 */
export async function checkTarget(request: CheckRequest): Promise<ExitCode> {
  const catalogue = loadCatalogue();
  const selection = select(catalogue, await wanted(request));
  const { summary: intended, requireAbilities, configuration, profile } = await describeTarget(request);
  const tooMuch = configuration && misfit(configuration, catalogue, selection.ids);
  if (tooMuch !== undefined) throw new UsageError(`${request.target}: ${tooMuch}`);
  const live = intended.kind === 'live';
  const frozen = request.like === undefined ? undefined : await frozenProfile('--like', request.like);
  if (request.probeReuse && frozen === undefined) {
    throw new UsageError(
      '--probe-reuse: what becomes of old refresh tokens is observed and never judged by itself; expected --like with it, or the verb `observe` with --risk revokes',
    );
  }
  const asked = request.probeReuse ? [...request.risks, 'revokes'] : request.risks;
  const risks = risksFrom('--risk', asked, !live);
  const listed = loadKnownDeviations(request.knownDeviations, request.target);
  requireNoSuchFile(request.proposeDeviations);
  const browser = await (live ? requireBrowserForLive : requireBrowser)(request.installBrowser);
  const progress = startProgress(selection.ids.length, process.stdout);
  const startedAt = new Date();
  const begun = performance.now();
  const collected = await runConformance(
    {
      target: live ? { file: resolve(request.target) } : 'emulator',
      profile,
      defects: request.defects,
      only: selection.partial ? selection.ids : [],
      waitExpiry: request.waitExpiry,
      smoke: request.smoke,
      report: resolve(request.report),
      ...(frozen === undefined ? {} : { observe: [...risks] }),
      executablePath: browser.executablePath,
    },
    {
      workers: live ? 1 : (request.workers ?? Math.max(1, availableParallelism())),
      ...(configuration === undefined ? {} : { longestSeconds: await longest(configuration, request) }),
      checkTimeoutMs: live ? CHECK_TIMEOUT_MS.live : CHECK_TIMEOUT_MS.emulator,
      onResult: progress.result,
      onWaiting: progress.waiting,
    },
  );
  progress.end();
  const heard = collected.target !== undefined;
  const lacking = heard ? missingRequiredAbilities(requireAbilities, collected.target.abilities) : [];
  const composed = composeRun(catalogue, selection, collected, lacking, {
    suiteVersion: await suiteVersion(),
    strict: request.strict,
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    intended,
  });
  const held = frozen === undefined ? composed : withFrozen(composed, frozen, collected.seen, catalogue);
  const known = [...select(catalogue, []).ids, ...held.requirements.map(({ id }) => id)];
  const run = withKnownDeviations(held, listed, new Set(known));
  const { results, hasPage } = await writeScanned(request.report, run, catalogue, collected.secrets);
  const text = renderConsole(results, catalogue, {
    style: styleFor(process.env, process.stdout.isTTY),
    ...(hasPage ? { reportPath: join(request.report, 'index.html') } : {}),
  });
  process.stdout.write(collected.secrets.redact(text));
  if (request.proposeDeviations !== undefined) {
    const said = await proposeDeviations(request.proposeDeviations, run, collected.secrets);
    process.stdout.write(`${said}\n`);
  }
  return results.exitCode;
}

import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { commandFor } from '../document/input/program-name.ts';
import { UsageError } from '../document/input/usage-error.ts';
import { loadCatalogue } from '../document/load-catalogue.ts';
import { CHECKS } from '../evaluation/checks/index.ts';
import { CollectedRun } from '../evaluation/run/collected-run.ts';
import { SMOKE_CHECKS } from '../evaluation/run/lane.ts';
import { runChecks } from '../evaluation/run/run-checks.ts';
import { longestWait } from '../evaluation/run/shared-wait.ts';
import { reasonOf } from '../http/exchange.ts';
import type { SecretRegistry } from '../http/secrets/registry.ts';
import { observingIn } from '../record/observe/observe.ts';
import { withFrozen } from '../report/compare/profiles.ts';
import { type ExpectedRetirement, underPolicy } from '../report/policy.ts';
import type { RunTrouble } from '../report/results.ts';
import { missingRequiredAbilities, type Run } from '../report/verdict.ts';
import { type Configuration, DEFAULTS } from '../service/configuration/configuration.ts';
import { DRILL_VARIABLE } from '../service/drill.ts';
import { connectThrough } from '../service/flow/connect.ts';
import { emulatorBrowser, endStarting } from './browser.ts';
import type { WrittenOptions } from './check-options.ts';
import { composeRun } from './compose.ts';
import { explorePlan } from './explore-plan.ts';
import { misfit } from './forecast.ts';
import { loadKnownDeviations } from './known-deviations.ts';
import { suiteVersion } from './own-package.ts';
import { type BrowserOptions, connectingLive, describeTarget, printingLines } from './prepare.ts';
import { ageNotice, frozenProfile, readProfile } from './read-profile.ts';
import { carefully, risksFrom, select } from './select.ts';

export interface CommandOptions extends WrittenOptions, Omit<BrowserOptions, 'env'> {
  /** The configuration itself; then the target is only its name. */
  readonly given?: ConfigurationFile;
  readonly report?: string;
  /** For the emulator: a browser that is already starting. The run closes it. */
  readonly browser?: Promise<Browser>;
}

export interface CheckedTarget {
  readonly run: Run;
  readonly secrets: SecretRegistry;
}

/** Seconds after the budget is spent, for cleanup. */
const GRACE_SECONDS = 180;

/** Timeout of one check in milliseconds. Live targets are paced and need more. */
export const CHECK_DEADLINE_MS = { emulator: 60_000, live: 600_000 } as const;

/**
 * Checks a target, for `check()` and the verb. The caller must search the result for secrets in every form that it writes.
 *
 * @throws UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function checkedTarget(target: string, options: CommandOptions): Promise<CheckedTarget> {
  const { env = process.env } = options;
  // It starts while the configuration is read.
  const browser = target === 'emulator' ? (options.browser ?? emulatorBrowser(env)) : undefined;
  browser?.catch(() => undefined);
  try {
    return await checkedThrough(browser, target, options);
  } finally {
    await endStarting(browser);
  }
}

async function checkedThrough(
  browser: Promise<Browser> | undefined,
  target: string,
  options: CommandOptions,
): Promise<CheckedTarget> {
  const { profile, defects = [], env = process.env, strict = false } = options;
  const catalogue = loadCatalogue();
  const whole = select(catalogue, wanted(target, options));
  const intended = await describeTarget({ target, profile, defects, env, given: options.given });
  const { configuration } = intended;
  const selection = configuration?.care === 'careful' ? carefully(whole, options.only ?? []) : whole;
  const version = suiteVersion();
  const tooMuch = configuration && misfit(configuration, catalogue, selection.ids);
  if (tooMuch !== undefined) throw new UsageError(`${target}: ${tooMuch}`);
  const live = configuration !== undefined;
  if (live && (options.workers ?? 1) > 1)
    throw new UsageError(`--workers: expected 1 on a live target, got ${options.workers}`);
  const frozen = options.like === undefined ? undefined : await frozenProfile('--like', options.like);
  const onItself =
    !live &&
    frozen?.digest !== undefined &&
    (await readProfile('--profile', intended.choice.profile)).digest === frozen.digest;
  // An aspect that needs time is always allowed: it needs a clock, or `waitExpiry`.
  const risks = new Set([
    ...risksFrom(options.risks ?? [], !live, ['none', 'refusals', 'revokes']),
    'slow' as const,
  ]);
  const listed = loadKnownDeviations(options.knownDeviations, target);
  // A partial run is not explored unless the user asks.
  const unasked = selection.selection === 'complete' ? {} : { explore: 0 };
  const exploring = explorePlan({ ...unasked, ...options }, configuration, risks.has('revokes'), version);
  options.onSelected?.(selection.ids.length, intended.summary.name, selection.ids);
  const connectTo =
    browser === undefined
      ? connectingLive(options)
      : printingLines(async (...asked) => connectThrough(await browser, ...asked), options.verbose);
  const drill = Boolean(env[DRILL_VARIABLE]);
  const startedAt = new Date();
  const begun = performance.now();
  const checking = (signal: AbortSignal | undefined) =>
    runChecks(
      {
        ...intended.choice,
        drill,
        waitExpiry: options.waitExpiry,
        smoke: options.smoke,
        report: options.report && resolve(options.report),
        observe: frozen && observingIn(risks),
        ...(exploring && { explore: exploring }),
      },
      CHECKS.filter(({ id }) => selection.ids.includes(id)),
      {
        lanes: live ? 1 : (options.workers ?? availableParallelism()),
        listener: options,
        connectTo,
        ready: browser,
        signal,
        checkDeadlineMs: live ? CHECK_DEADLINE_MS.live : CHECK_DEADLINE_MS.emulator,
      },
    );
  const resting = configuration && brownoutAt(configuration, startedAt);
  const { done: collected, late } =
    resting === undefined
      ? await inTime(configuration, options, checking)
      : {
          done: new CollectedRun(options),
          late: [{ kind: 'inconclusive', cause: 'interrupted', message: resting } as const],
        };
  if (resting !== undefined) collected.found.ended = resting;
  for (const trouble of late) collected.trouble(trouble);
  if (drill)
    collected.trouble({
      kind: 'inconclusive',
      message: `DRILL: the suite changed what it received (${DRILL_VARIABLE}), so this run proves nothing`,
    });
  const lacking =
    collected.target === undefined
      ? []
      : missingRequiredAbilities(configuration?.requireAbilities ?? [], collected.target.abilities);
  const composed = composeRun(catalogue, selection, collected, lacking, {
    suiteVersion: version,
    strict,
    startedAt,
    durationMs: Math.round(performance.now() - begun),
    intended: intended.summary,
  });
  const run = underPolicy(composed, {
    ...(frozen && {
      held: (one) => withFrozen(one, frozen, collected.found.seen, catalogue, onItself),
    }),
    retirement: configuration && expectedRetirement(configuration),
    deviations: { listed, ids: select(catalogue, []).ids },
  });
  for (const result of run.requirements) options.onResult?.(result);
  const { maxAgeDays } = configuration ?? DEFAULTS;
  const old = frozen === undefined ? [] : ageNotice(frozen, maxAgeDays, startedAt);
  const untried =
    options.smoke && configuration?.lock && run.troubles.length === 0
      ? [smokeNotice(configuration.lock)]
      : [];
  const notices = [...(run.notices ?? []), ...old, ...untried];
  return { run: notices.length === 0 ? run : { ...run, notices }, secrets: collected.secrets };
}

function smokeNotice({ project, user }: Exclude<Configuration['lock'], false>): string {
  return `smoke used only \`lock\` (user ${user}, project ${project}); \`projects\`, \`users\` and \`consent.deny\` are untried: \`doctor --walk\` and \`check\` try them`;
}

function wanted(target: string, { only = [], smoke }: WrittenOptions): readonly string[] {
  if (!smoke) return only;
  if (target === 'emulator') throw new UsageError('--smoke: expected a live target (--target FILE)');
  if (only.length > 0) throw new UsageError('--smoke: chooses its own checks, so it excludes --only');
  return SMOKE_CHECKS;
}

/** Runs work on a live target within its budget's time. @returns a trouble if it had to be stopped */
export async function inTime<T>(
  configuration: Configuration | undefined,
  { signal, waitExpiry }: WrittenOptions,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<{ readonly done: T; readonly late: readonly RunTrouble[] }> {
  if (configuration === undefined) return { done: await work(signal), late: [] };
  const waits = waitExpiry ? longestWait(CHECKS, configuration.skewSeconds) : 0;
  const seconds = configuration.budget.seconds + GRACE_SECONDS + waits;
  const message = `the run did not end within ${seconds} s and was stopped; run \`${commandFor('sweep', configuration.file)}\` before the next one`;
  const own = new AbortController();
  const timers = [setTimeout(() => own.abort(message), seconds * 1_000)];
  for (const { from, to } of configuration.retired?.brownouts ?? []) {
    const ms = Date.parse(from) - Date.now() - BEFORE_REST_MS;
    const rest = restText({ from, to }, 'the run was stopped');
    if (ms > 0 && ms < seconds * 1_000) timers.push(setTimeout(() => own.abort(rest), ms));
  }
  try {
    const done = await work(AbortSignal.any([own.signal, ...(signal ? [signal] : [])]));
    return {
      done,
      late: own.signal.aborted
        ? [{ kind: 'inconclusive', cause: 'interrupted', message: reasonOf(own.signal) }]
        : [],
    };
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Milliseconds before an announced brownout, for the suite to unassign its users. */
const BEFORE_REST_MS = 15_000;

/** Returns the reason not to run during an announced brownout; undefined outside of all. */
export function brownoutAt({ retired }: Pick<Configuration, 'retired'>, now: Date): string | undefined {
  const at = now.getTime();
  const found = retired?.brownouts?.find(
    ({ from, to }) => Date.parse(from) - BEFORE_REST_MS <= at && at < Date.parse(to),
  );
  return found && restText(found, 'nothing was sent');
}

function restText({ from, to }: { readonly from: string; readonly to: string }, so: string): string {
  return `the service rests from ${from} to ${to} (\`retired.brownouts\`): ${so}; run it again later`;
}

function expectedRetirement({ retired, file }: Configuration): ExpectedRetirement | undefined {
  if (retired === undefined) return undefined;
  const { expectedFrom, shim, profile } = retired;
  return {
    from: expectedFrom,
    takesOver: [
      ...(shim === undefined ? [] : [`the shim: ${commandFor('check', join(dirname(file), shim))}`]),
      ...(profile === undefined
        ? []
        : [`the recorded profile: ${commandFor('emulate')} --profile ${join(dirname(file), profile)}`]),
    ],
  };
}

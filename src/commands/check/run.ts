import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { commandFor } from '../../document/input/program-name.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { CollectedRun } from '../../evaluation/run/collected-run.ts';
import { runChecks } from '../../evaluation/run/run-checks.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { withFrozen } from '../../report/compare/profiles.ts';
import { type ExpectedRetirement, underPolicy } from '../../report/policy.ts';
import { missingRequiredAbilities, type Run } from '../../report/verdict.ts';
import { said } from '../../report/words.ts';
import { type Configuration, DEFAULTS } from '../../service/configuration/configuration.ts';
import { connectThrough } from '../../service/flow/connect.ts';
import { DRILL_VARIABLE } from '../../service/open-target.ts';
import { emulatorBrowser, endStarting } from '../shared/browser.ts';
import { composeRun } from '../shared/compose.ts';
import { brownoutAt, withinBudget } from '../shared/in-time.ts';
import { type BrowserOptions, connectingLive, printingLines } from '../shared/prepare.ts';
import { ageNotice } from '../shared/read-profile.ts';
import { select } from '../shared/select.ts';
import { type CheckPlan, planCheck, type RequestedCheck } from './resolve.ts';

export interface CommandOptions extends RequestedCheck, Omit<BrowserOptions, 'env'> {
  /** For the emulator: a browser that is already starting. The run closes it. */
  readonly browser?: Promise<Browser>;
}

export interface CheckedTarget {
  readonly run: Run;
  readonly secrets: SecretRegistry;
}

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
    const plan = await planCheck(target, options);
    const { ids } = plan.selection;
    options.onSelected?.(ids.length, plan.intended.name, ids);
    const begun = performance.now();
    const startedAt = new Date();
    const collected = await collect(plan, browser, options, startedAt);
    const run = runOf(plan, collected, startedAt, Math.round(performance.now() - begun));
    for (const result of run.requirements) options.onResult?.(result);
    return { run, secrets: collected.secrets };
  } finally {
    await endStarting(browser);
  }
}

/** Runs the checks of a plan, unless the service rests. */
async function collect(
  { configuration, run, checks, limits }: CheckPlan,
  browser: Promise<Browser> | undefined,
  options: CommandOptions,
  now: Date,
): Promise<CollectedRun> {
  const resting = configuration && brownoutAt(configuration, now);
  if (resting !== undefined) {
    const unsent = new CollectedRun(options);
    unsent.found.ended = resting;
    unsent.trouble({ kind: 'inconclusive', cause: 'interrupted', message: resting });
    return unsent;
  }
  const connectTo =
    browser === undefined
      ? connectingLive(options)
      : printingLines(async (...asked) => connectThrough(await browser, ...asked), options.verbose);
  const { done, late } = await withinBudget(configuration, options, (signal) =>
    runChecks(run, checks, { ...limits, listener: options, connectTo, ready: browser, signal }),
  );
  for (const trouble of late) done.trouble(trouble);
  return done;
}

/** Composes the results of a run, under the policy of its plan. */
function runOf(plan: CheckPlan, collected: CollectedRun, startedAt: Date, durationMs: number): Run {
  const { configuration, frozen, onItself, selection, strict, intended } = plan;
  if (plan.run.drill)
    collected.trouble({
      kind: 'inconclusive',
      message: `DRILL: the suite changed what it received (${DRILL_VARIABLE}), so this run proves nothing`,
    });
  const lacking =
    collected.target === undefined
      ? []
      : missingRequiredAbilities(configuration?.requireAbilities ?? [], collected.target.abilities);
  const frame = { strict, startedAt, durationMs, intended };
  const run = underPolicy(composeRun(selection, collected, lacking, frame), {
    ...(frozen && {
      withRecordedAnswers: (one) => withFrozen(one, frozen, collected.found.seen, loadCatalogue(), onItself),
    }),
    retirement: configuration && expectedRetirement(configuration),
    deviations: { listed: plan.known, ids: select([]).ids },
  });
  const { maxAgeDays } = configuration ?? DEFAULTS;
  const old = frozen === undefined ? [] : ageNotice(frozen, maxAgeDays, startedAt);
  const untried =
    plan.run.smoke && run.troubles.length === 0 && configuration?.lock && smokeNotice(configuration.lock);
  const notices = said(run.notices, old, untried);
  return notices.length === 0 ? run : { ...run, notices };
}

function smokeNotice({ project, user }: Exclude<Configuration['lock'], false>): string {
  return `smoke used only \`lock\` (user ${user}, project ${project}); \`projects\`, \`users\` and \`consent.deny\` are untried: \`doctor --walk\` and \`check\` try them`;
}

function expectedRetirement({ retired, file }: Configuration): ExpectedRetirement | undefined {
  if (retired === undefined) return undefined;
  const { expectedFrom, shim, profile } = retired;
  return {
    from: expectedFrom,
    takesOver: said(
      shim && `the shim: ${commandFor('check', join(dirname(file), shim))}`,
      profile && `the recorded profile: ${commandFor('emulate')} --profile ${join(dirname(file), profile)}`,
    ),
  };
}

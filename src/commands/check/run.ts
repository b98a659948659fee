import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { requirementIds } from '../../../generated/ids.ts';
import { commandFor } from '../../document/input/program-name.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { CollectedRun, type RunListener } from '../../evaluation/run/collected-run.ts';
import { runChecks } from '../../evaluation/run/run-checks.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { withFrozen } from '../../report/compare/profiles.ts';
import { type ExpectedRetirement, underPolicy } from '../../report/policy.ts';
import { missingRequiredAbilities, type Run } from '../../report/verdict.ts';
import { presentTexts } from '../../report/words.ts';
import { type Configuration, DEFAULTS } from '../../service/configuration/configuration.ts';
import { connectThrough } from '../../service/flow/connect.ts';
import { DRILL_VARIABLE } from '../../service/open-target.ts';
import { type BrowserOptions, connectingLive, printingLines } from '../shared/connection.ts';
import { ageNotice } from '../shared/read-profile.ts';
import { runOfChecks } from '../shared/run-of.ts';
import { brownoutAt, withinBudget } from '../shared/time-limits.ts';
import type { ResolvedCheck } from './resolve.ts';

/** The process around a run: what it prints to, and what stops it. */
interface RunHost extends Omit<BrowserOptions, 'credentials'>, RunListener {
  /** For the emulator. The caller ends it. */
  readonly browser: Promise<Browser> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The caller must search it for secrets in every form that it writes. */
interface CheckedTarget {
  readonly run: Run;
  readonly secrets: SecretRegistry;
}

/** Runs a resolved check, for `check()` and the verb. @throws UsageError without a browser; nothing was sent */
export async function runResolved(check: ResolvedCheck, host: RunHost): Promise<CheckedTarget> {
  const begun = performance.now();
  const startedAt = new Date();
  const collected = await collect(check, host, startedAt);
  const run = evaluatedRun(check, collected, startedAt, Math.round(performance.now() - begun));
  return { run, secrets: collected.secrets };
}

/** Runs the checks, unless the service rests. */
async function collect(check: ResolvedCheck, host: RunHost, now: Date): Promise<CollectedRun> {
  const { configuration, plan: run, checks, workers, checkDeadlineMs } = check;
  const { browser, signal } = host;
  const resting = configuration && brownoutAt(configuration, now);
  if (resting !== undefined) {
    const unsent = new CollectedRun(host);
    unsent.found.ended = resting;
    unsent.trouble({ kind: 'inconclusive', cause: 'interrupted', message: resting });
    return unsent;
  }
  const connectTo =
    browser === undefined
      ? connectingLive(host)
      : printingLines(async (...asked) => connectThrough(await browser, ...asked), host.verbose);
  const { waitExpiry } = run;
  const { done, late } = await withinBudget(configuration, { signal, waitExpiry }, (stop) =>
    runChecks(run, checks, {
      workers,
      checkDeadlineMs,
      listener: host,
      connectTo,
      ready: browser,
      signal: stop,
    }),
  );
  for (const trouble of late) done.trouble(trouble);
  return done;
}

/** Makes the results of a check, under the policy of its target. */
function evaluatedRun(
  check: ResolvedCheck,
  collected: CollectedRun,
  startedAt: Date,
  durationMs: number,
): Run {
  const { configuration, frozen, onItself, selection, strict, intended } = check;
  if (check.plan.drill)
    collected.trouble({
      kind: 'inconclusive',
      message: `DRILL: the suite changed what it received (${DRILL_VARIABLE}), so this run proves nothing`,
    });
  const lacking =
    collected.target === undefined
      ? []
      : missingRequiredAbilities(configuration?.requireAbilities ?? [], collected.target.abilities);
  const frame = { strict, startedAt, durationMs, intended };
  const run = underPolicy(runOfChecks(selection, collected, lacking, frame), {
    ...(frozen && {
      withRecordedAnswers: (one) => withFrozen(one, frozen, collected.found.seen, loadCatalogue(), onItself),
    }),
    retirement: configuration && expectedRetirement(configuration),
    deviations: { listed: check.known, ids: requirementIds },
  });
  const { maxAgeDays } = configuration ?? DEFAULTS;
  const old = frozen === undefined ? [] : ageNotice(frozen, maxAgeDays, startedAt);
  const untried =
    check.plan.smoke && run.troubles.length === 0 && configuration?.lock && smokeNotice(configuration.lock);
  const notices = presentTexts(run.notices, old, untried);
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
    takesOver: presentTexts(
      shim && `the shim: ${commandFor('check', join(dirname(file), shim))}`,
      profile && `the recorded profile: ${commandFor('emulate')} --profile ${join(dirname(file), profile)}`,
    ),
  };
}

import { join } from 'node:path';
import { UsageError } from '../document/input/usage-error.ts';
import { aspectIds } from '../document/profiles/aspects.ts';
import type { Profile } from '../document/profiles/profile.ts';
import type { Observed } from '../record/observe/observe.ts';
import type { ExitCode } from '../report/verdict.ts';
import type { Configuration } from '../target/configuration/configuration.ts';
import { secondsAtPace } from './forecast.ts';
import {
  concluded,
  type ObservationPlan,
  type ObservationRequest,
  type ObservedTarget,
  observedTarget,
} from './observe.ts';
import { PROFILE, STORIES, SUMS, sumsText } from './observe-stories.ts';
import { tellSandbox } from './prepare.ts';
import { print, printError } from './print.ts';
import { startProgress } from './progress.ts';
import { requireWritableFile, whyUnwritten, writeWhole } from './write-files.ts';

export interface ObserveTargetRequest extends ObservationRequest {
  readonly out: string | undefined;
  readonly storiesIn?: string | undefined;
  readonly verbose: boolean;
}

/** Default number of requests of recorded stories. */
export const STORY_REQUESTS = 2_000;

/**
 * The verb `observe`: runs the probes on a target and writes a profile. Prints its progress on standard error.
 *
 * @param signal aborts it: own users are unassigned, and no profile is written
 * @returns the exit code: 0 even if an aspect cannot be observed, 3 for a missing answer
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function observeTarget(asked: ObserveTargetRequest, signal?: AbortSignal): Promise<ExitCode> {
  const { storiesIn } = asked;
  if (storiesIn !== undefined && asked.out !== undefined)
    throw new UsageError('--stories: the profile goes to this folder too; leave out --out');
  const request = storiesIn === undefined ? asked : { ...asked, out: join(storiesIn, PROFILE) };
  const { out } = request;
  const begun = performance.now();
  const observed = await observedTarget(request, {
    ...(signal && { signal }),
    onPlanned: (plan) => {
      if (out !== undefined) requireWritableFile('--out', out);
      for (const name of storiesIn === undefined ? [] : [STORIES, SUMS])
        requireWritableFile('--stories', join(storiesIn ?? '', name));
      announce(plan);
    },
    onBrowser: tellSandbox,
    verbose: request.verbose,
    onProbes: (groups) =>
      startProgress({ what: 'observing', groups, plain: request.verbose }, process.stderr),
  });
  const { secrets, record, seen } = observed;
  const troubles = [...observed.troubles];
  if (record !== undefined && troubles.length === 0)
    for (const message of await whyUnwritten(`${storiesIn ?? out}`, written(record, request)))
      troubles.push({ kind: 'broken', message });
  // A profile that must not be written is not printed either.
  const kept = troubles.length === 0 ? record : undefined;
  if (kept !== undefined && out === undefined) print(kept.text);
  for (const sentence of seen) say(secrets.redact(sentence));
  if (record !== undefined) tell(record.observed, record.profile, performance.now() - begun, kept && out);
  if (storiesIn !== undefined && kept?.stories !== undefined) {
    const { stories, requests, seed } = kept.stories.record;
    say(
      `stories: ${join(storiesIn, STORIES)} (${stories.length} stories, ${requests} requests, seed ${seed})\ndigests: ${join(storiesIn, SUMS)}, for \`sha256sum -c\``,
    );
  }
  const { exitCode, because } = concluded(observed, troubles);
  for (const sentence of because) say(sentence);
  return exitCode;
}

function announce({
  summary,
  configuration,
  what: { risks, only },
  aspects,
  requests,
}: ObservationPlan): void {
  const asked = only === undefined ? `risks: ${[...risks].join(', ')}` : [...only].join(', ');
  say(
    `observe ${summary.name}: ${aspects} of ${aspectIds.length} aspects (${asked}), about ${requests} requests`,
  );
  if (configuration !== undefined) announceCost(configuration, requests + BESIDE_PROBES);
}

/** Usual number of requests of sign-in, smoke flow and cleanup. */
const BESIDE_PROBES = 35;

function announceCost({ pacing, budget }: Configuration, requests: number): void {
  const { seconds, limit } = secondsAtPace(requests, pacing);
  say(`  with sign-in and cleanup that takes about ${Math.ceil(seconds)} s at ${limit} (\`pacing\`)`);
  if (requests <= budget.requests) return;
  say(
    `  the budget is ${budget.requests} (\`budget.requests\`): once it is spent, the run observes nothing more and reports that`,
  );
}

async function written(
  { text, stories }: NonNullable<ObservedTarget['record']>,
  { out, storiesIn }: ObserveTargetRequest,
): Promise<void> {
  if (out !== undefined) await writeWhole(out, text);
  if (storiesIn === undefined || stories === undefined) return;
  await writeWhole(join(storiesIn, STORIES), stories.text);
  await writeWhole(join(storiesIn, SUMS), sumsText(text, stories.text));
}

function tell(observed: Observed, profile: Profile, ms: number, out: string | undefined): void {
  const { answers, unseen, requests } = observed;
  say(
    `seen ${answers.size} of ${aspectIds.length} aspects with ${requests} requests in ${(ms / 1000).toFixed(1)} s`,
  );
  const byReason = Map.groupBy(unseen, ([, { reason }]) => reason);
  for (const [reason, aspects] of byReason)
    say(`  not observed: ${namesOf(aspects.map(([aspect]) => aspect))}: ${reason}`);
  const beyond = profile.observed?.notExpressed ?? [];
  if (beyond.length > 0) say(`  seen, and more than the emulator can imitate: ${namesOf(beyond)}`);
  if (out !== undefined) say(`profile: ${out} (${profile.digest})`);
}

/** All that an earlier consent hides are named. */
const MOST_NAMED = 4;

function namesOf(aspects: readonly string[]): string {
  const shown = aspects.slice(0, MOST_NAMED).join(', ');
  return aspects.length > MOST_NAMED ? `${shown} and ${aspects.length - MOST_NAMED} more` : shown;
}

/** Prints to standard error: standard output may be the profile. */
function say(line: string): void {
  printError(`${line}\n`);
}

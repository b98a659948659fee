import { resolve } from 'node:path';
import { validateProfile } from '../../generated/validators.js';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { parseLocatedYaml } from '../catalogue/load-yaml.ts';
import type { Risk } from '../catalogue/types.ts';
import { openGround } from '../checks/run/ground.ts';
import { withOwnBrowser } from '../checks/run/with-browser.ts';
import { withoutBrowser } from '../checks/run/without-browser.ts';
import type { Configuration } from '../config/configuration.ts';
import { DEFAULT_PROFILE, loadProfile } from '../emulator/load-profile.ts';
import { reasonOf } from '../exchange/exchange.ts';
import { alsoSeen } from '../monitor/also-seen.ts';
import {
  mostRequests,
  type Observed,
  type ObserveRequest,
  observe,
  probesFor,
  wantedAspects,
} from '../observe/observe.ts';
import type { Probe } from '../observe/probe.ts';
import { aspectIds } from '../profiles/aspects.ts';
import { freeze } from '../profiles/freeze.ts';
import type { Profile } from '../profiles/profile.ts';
import { profileText } from '../profiles/yaml-text.ts';
import type { RunTrouble, TargetSummary } from '../report/results.ts';
import { conclude, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import type { Target } from '../targets/target.ts';
import { pointsFrom, risksFrom } from './observe-request.ts';
import { describeTarget, requireBrowserForLive } from './prepare.ts';
import { print, printError, printJson } from './print.ts';
import { startProgress } from './progress.ts';
import { suiteVersion } from './suite-version.ts';
import { toldAsAsked } from './verbose.ts';
import { requireWritableFile, whyNotWritten, writeWhole } from './write-whole.ts';

/** What was asked of `observe` on the command line. */
export interface ObserveTargetRequest {
  /** `emulator`, or the path of a configuration file. */
  readonly target: string;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly risks: readonly string[];
  readonly probes: readonly string[];
  /** Where the profile is written; standard output when undefined. */
  readonly out: string | undefined;
  /** Print each request as it goes, on standard error. */
  readonly verbose: boolean;
  /** Print what was observed as JSON on standard output, in place of the profile. */
  readonly json: boolean;
}

/** What came of looking: the observations, or why there are none. */
type Looked =
  | {
      readonly ok: true;
      readonly observed: Observed;
      readonly target: Target;
      /** What its exchanges showed broken, a sentence each. */
      readonly seen: readonly string[];
    }
  | { readonly ok: false; readonly trouble: RunTrouble };

/**
 * The verb `observe`: runs the probes on a target and writes what was seen as a profile. What it does is told on standard error.
 *
 * @param signal aborted when it is to stop: then own users are unassigned, and no profile is written
 * @returns the exit code: 0 also where something cannot be observed, 3 where something could not be heard
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function observeTarget(request: ObserveTargetRequest, signal?: AbortSignal): Promise<ExitCode> {
  const { summary, profile: reference, configuration } = await describeTarget(request);
  const catalogue = loadCatalogue();
  const risks = risksFrom('--risk', request.risks, summary.kind === 'emulator');
  const what: ObserveRequest = { risks, ...pointsFrom('--probe', request.probes) };
  if (request.out !== undefined) requireWritableFile('--out', request.out);
  const wanted = wantedAspects(catalogue, what);
  const most = mostRequests(probesFor(wanted)) + BASE_WALK;
  announce(summary, wanted.size, most, what);
  if (configuration !== undefined) announceCost(configuration, most);
  const secrets = new SecretRegistry();
  const begun = performance.now();
  const at = new Date();
  const looked = await look(request, reference, summary, secrets, what, signal);
  if (!looked.ok) return end([looked.trouble], request, secrets);
  const { observed, target } = looked;
  if (signal?.aborted) {
    const kept = observed.leftBehind === undefined ? [] : [broken(observed.leftBehind)];
    const message = `${reasonOf(signal)}: no profile was written`;
    return end([...kept, { kind: 'inconclusive', message }], request, secrets);
  }
  const profile = await profileFrom(observed, target, at, risks);
  const text = profileText(profile);
  const troubles = [
    ...(observed.leftBehind ? [broken(observed.leftBehind)] : []),
    ...leaks(text, secrets, target),
  ];
  if (troubles.length === 0) {
    await write(text, request).catch((error: unknown) => {
      troubles.push(broken(`${request.out} could not be written (${whyNotWritten(error)})`));
    });
  }
  for (const sentence of looked.seen) say(secrets.redact(sentence));
  tell(observed, profile, performance.now() - begun, troubles.length === 0 ? request.out : undefined);
  const unheard = [...observed.unseen].filter(([, { why }]) => why === 'unheard');
  const gaps =
    unheard.length === 0 ? [] : [`${unheard.length} aspects got no answer: ${unheard[0]?.[1].reason}`];
  const outcome = concluded(troubles, observed.answers.size, gaps, secrets);
  // A profile that must not be written is not printed either.
  if (request.json)
    printJson({
      ...outcome,
      profile: troubles.length === 0 ? parseLocatedYaml(text, 'profile', validateProfile).value : null,
    });
  return outcome.exitCode;
}

function announce(
  summary: TargetSummary,
  aspects: number,
  most: number,
  { risks, only }: ObserveRequest,
): void {
  const asked = only === undefined ? `risks: ${[...risks].join(', ')}` : [...only].join(', ');
  const left = [...(['refusals', 'revokes', 'slow'] as const satisfies Risk[])].filter(
    (risk) => !risks.has(risk),
  );
  const more = only === undefined && left.length > 0 ? `; for more: --risk ${left.join(',')}` : '';
  say(
    `observe ${summary.name}: ${aspects} of ${aspectIds.length} aspects (${asked}${more}), at most ${most} requests`,
  );
}

/** What so many requests mean for a service that others use too. */
function announceCost({ pacing, budget }: Configuration, most: number): void {
  const seconds = Math.ceil(most / pacing.requestsPerSecond);
  say(
    `  at ${pacing.requestsPerSecond} a second that is ${seconds} s at most, pages apart (\`pacing.requestsPerSecond\`)`,
  );
  if (most <= budget.requests) return;
  say(
    `  the budget is ${budget.requests} (\`budget.requests\`): once it is spent, nothing more is observed, and the run says so`,
  );
}

/** Requests of the base walk, pages apart; a few more where it must try departures. */
const BASE_WALK = 20;

async function look(
  request: ObserveTargetRequest,
  profile: string,
  summary: TargetSummary,
  secrets: SecretRegistry,
  what: ObserveRequest,
  signal: AbortSignal | undefined,
): Promise<Looked> {
  const live = summary.kind === 'live';
  const plainly = live ? withOwnBrowser((await requireBrowserForLive()).executablePath) : withoutBrowser;
  const connectTo = toldAsAsked(plainly, request.verbose);
  const plan = {
    target: live ? { file: resolve(request.target) } : ('emulator' as const),
    profile,
    defects: request.defects,
  };
  const ground = await openGround(plan, secrets, { connectTo, signal });
  try {
    if (!ground.usable) return { ok: false, trouble: ground.trouble };
    const { session, walk, catalogue } = ground.surroundings;
    const openPoints = Map.groupBy(probesFor(wantedAspects(catalogue, what)), ({ openPoint }) => openPoint);
    const groups = new Map([...openPoints].map(([id, probes]) => [id, probes.length]));
    const progress = startProgress({ what: 'observing', groups, plain: request.verbose }, process.stderr);
    const onProbe = ({ openPoint }: Probe) => progress.done(openPoint, openPoint);
    const observed = await observe(session, walk, catalogue, { ...what, onProbe }).finally(() =>
      progress.end(),
    );
    return {
      ok: true,
      observed,
      target: session.target,
      seen: alsoSeen(ground.watched.monitor, catalogue.requirement),
    };
  } finally {
    await ground.close();
  }
}

async function profileFrom(
  observed: Observed,
  target: Target,
  at: Date,
  risks: ReadonlySet<Risk>,
): Promise<Profile> {
  const sighting = {
    target: target.name,
    kind: target.kind,
    at: at.toISOString(),
    suiteVersion: await suiteVersion(),
    risks: [...risks],
    requests: observed.requests,
    answers: observed.answers,
    notObserved: new Map([...observed.unseen].map(([aspect, { reason }]) => [aspect, reason])),
    evidence: observed.evidence,
    departures: observed.departures,
  };
  return freeze(sighting, await loadProfile(DEFAULT_PROFILE));
}

/** What must not be written: secrets of the run, configured ids, anything that no schema knows. */
function leaks(text: string, secrets: SecretRegistry, target: Target): readonly RunTrouble[] {
  const labels = [...new Set(secrets.find(text).map(({ label }) => label))];
  if (labels.length > 0) {
    return [
      broken(
        `the profile would have held ${labels.join(', ')} and was not written; this is a bug of the suite`,
      ),
    ];
  }
  if (/\S+@\S+\.\S+/.test(text)) {
    return [
      broken('the profile would have held an e-mail address and was not written; this is a bug of the suite'),
    ];
  }
  try {
    parseLocatedYaml(text, `the profile of ${target.name}`, validateProfile);
    return [];
  } catch (error) {
    return [
      broken(`the profile is not what its schema says and was not written: ${(error as Error).message}`),
    ];
  }
}

function broken(message: string): RunTrouble {
  return { kind: 'broken', message };
}

async function write(text: string, { out, json }: ObserveTargetRequest): Promise<void> {
  if (out === undefined) {
    if (!json) print(text);
    return;
  }
  await writeWhole(out, text);
}

function tell(observed: Observed, profile: Profile, ms: number, out: string | undefined): void {
  const { answers, unseen, requests } = observed;
  say(
    `seen ${answers.size} of ${aspectIds.length} aspects with ${requests} requests in ${(ms / 1000).toFixed(1)} s`,
  );
  const byReason = Map.groupBy(unseen, ([, { reason }]) => reason);
  for (const [reason, aspects] of byReason)
    say(`  not observed: ${namesOf(aspects.map(([aspect]) => aspect))}: ${reason}`);
  const beyond = Object.keys(profile.observed?.notExpressed ?? {});
  if (beyond.length > 0) say(`  seen, and more than the emulator can be told to do: ${namesOf(beyond)}`);
  if (out !== undefined) say(`profile: ${out} (${profile.digest})`);
}

function namesOf(aspects: readonly string[]): string {
  const shown = aspects.slice(0, 3).join(', ');
  return aspects.length > 3 ? `${shown} and ${aspects.length - 3} more` : shown;
}

/** Ends without a profile. */
function end(
  troubles: readonly RunTrouble[],
  { json }: ObserveTargetRequest,
  secrets: SecretRegistry,
): ExitCode {
  const outcome = concluded(troubles, 0, [], secrets);
  if (json) printJson({ ...outcome, profile: null });
  return outcome.exitCode;
}

/** What it comes to, said on standard error. */
function concluded(
  troubles: readonly RunTrouble[],
  judged: number,
  gaps: readonly string[],
  secrets: SecretRegistry,
): { readonly exitCode: ExitCode; readonly because: readonly string[] } {
  const { exitCode, because } = conclude({ troubles, violations: [], gaps, judged });
  const sentences = because.map((sentence) => secrets.redact(sentence));
  for (const sentence of sentences) say(sentence);
  return { exitCode, because: sentences };
}

/** To standard error: standard output may be the profile. */
function say(line: string): void {
  printError(`${line}\n`);
}

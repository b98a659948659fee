import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { BesideFile } from '../../generated/schemas.d.ts';
import { type PlayedBeside, playBeside, playRecorded } from '../beside/beside.ts';
import { entriesOf, notCompared, parityOf } from '../beside/compose.ts';
import { type ConfirmedDifference, confirm, noiseIn, onBoth, onRecord } from '../beside/confirm.ts';
import { besidePage } from '../beside/page.ts';
import { untilTimePasses } from '../beside/record.ts';
import { openBoth, rememberingConsent, type Side } from '../beside/sides.ts';
import { besideText } from '../beside/text.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import type { Risk } from '../catalogue/types.ts';
import type { Configuration } from '../config/configuration.ts';
import { reasonOf } from '../exchange/exchange.ts';
import { UsageError } from '../input/usage-error.ts';
import { isAspectId } from '../profiles/aspects.ts';
import type { Profile } from '../profiles/profile.ts';
import { compareProfiles, describedAspect } from '../report/compare/profiles.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import {
  type DescribedSide,
  describeOther,
  describeRecord,
  describeSide,
  folderOf,
  isFolder,
  type OpenedBeside,
  openSide,
  type RecordedSide,
  refuseSame,
} from './beside-side.ts';
import { limitOf } from './check.ts';
import { risksFrom } from './check-options.ts';
import type { ExploreRequest } from './explore.ts';
import { LIVE_REQUESTS } from './explore-plan.ts';
import { suiteVersion } from './own-package.ts';
import { print, printError, printJson } from './print.ts';
import { withholdLeaks } from './report-results.ts';
import { requireWritableFolder, whyUnwritten, writeWhole } from './write-files.ts';

export interface BesideRequest extends ExploreRequest {
  /** Configuration file of a live target, a profile of the emulator (id or file), or the folder of a record. */
  readonly beside: string;
  readonly quiet?: boolean;
}

/** Default number of requests to each emulator; they take some seconds. */
const EMULATOR_REQUESTS = 1_000;

/** Stories that each side plays twice, to find differences between its own answers. */
const NOISE_STORIES = { emulated: 3, live: 1 } as const;

interface Plan {
  readonly seed: number;
  readonly requests: number;
  readonly risks: ReadonlySet<Risk>;
  readonly live: boolean;
  readonly signal: AbortSignal;
}

interface Compared {
  readonly played?: PlayedBeside;
  readonly differences: BesideFile['differences'];
  readonly noise: BesideFile['noise'];
  readonly notCompared: readonly string[];
  readonly troubles: readonly RunTrouble[];
}

export async function besideTarget(request: BesideRequest): Promise<ExitCode> {
  const secrets = new SecretRegistry();
  return tell(await comparedBeside(request, secrets), secrets, request);
}

/**
 * Plays the same stories on two targets in step, and runs the probes of `observe` on both.
 *
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function comparedBeside(
  request: Omit<BesideRequest, 'json' | 'quiet' | 'strict'>,
  secrets: SecretRegistry,
): Promise<BesideFile> {
  const { target, profile, defects, beside, report, replay, corpus } = request;
  if (replay !== undefined || corpus !== undefined)
    throw new UsageError('--beside: expected neither --replay nor --corpus');
  const own = await describeSide('--target', target, profile, defects);
  const recorded = isFolder(beside) ? await describeRecord(beside) : undefined;
  // The record comes first: it is the old service's.
  const left = recorded ?? own;
  const right = recorded === undefined ? await describeOther(beside) : own;
  if (recorded === undefined) refuseSame(own, right);
  const configurations = [left, right].map((side) => configurationOf(side));
  const live = configurations.some((configuration) => configuration !== undefined);
  const risks = risksFrom('--risk', request.risks, !live);
  requireWritableFolder('--report', report);
  if (recorded?.record.refusals && !risks.has('revokes'))
    throw new UsageError('--beside: the record has replays and wrong credentials; add --risk revokes');
  const limits = configurations.map((configuration) => limitOf(configuration, {}));
  const plan: Plan = {
    seed: request.seed ?? recorded?.record.seed ?? randomInt(1, 100_000),
    requests: request.explore ?? recorded?.record.requests ?? (live ? LIVE_REQUESTS : EMULATOR_REQUESTS),
    risks,
    live,
    signal: AbortSignal.any([request.signal, ...limits.map(({ signal }) => signal)]),
  };
  const startedAt = new Date();
  let result: Compared;
  try {
    result = await compared(left, right, plan, secrets, report);
  } finally {
    for (const limit of limits) limit.end();
  }
  const late = limits.flatMap((limit): RunTrouble[] =>
    limit.late === undefined ? [] : [{ kind: 'inconclusive', message: limit.late }],
  );
  return composed(left, right, plan, { ...result, troubles: [...result.troubles, ...late] }, startedAt);
}

async function compared(
  left: DescribedSide | RecordedSide,
  right: DescribedSide,
  plan: Plan,
  secrets: SecretRegistry,
  report: string,
): Promise<Compared> {
  const ended: (() => Promise<string | undefined>)[] = [];
  const nothing = { differences: [], noise: [], notCompared: [] };
  const troubles: RunTrouble[] = [];
  let result: Omit<Compared, 'troubles'> = nothing;
  try {
    const opened: OpenedBeside[] = [];
    for (const [described, name] of [
      [left, 'left'],
      [right, 'right'],
    ] as const) {
      if ('record' in described) continue;
      const one = await openSide(described, secrets, folderOf(report, name), plan.signal);
      if (!one.ok) {
        const message = `${name} side: ${one.trouble.message}`;
        return { ...nothing, troubles: [...troubles, { ...one.trouble, message }] };
      }
      opened.push(one.opened);
      ended.push(one.opened.end);
    }
    const [one, other] = opened;
    if ('record' in left && one !== undefined) result = await comparedWithRecord(left, one, plan, troubles);
    else if (one !== undefined && other !== undefined)
      result = await playedAndProbed(one, other, plan, troubles);
  } finally {
    for (const end of ended) {
      const message = await end();
      if (message !== undefined) troubles.push({ kind: 'broken', message });
    }
  }
  return { ...result, troubles };
}

async function playedAndProbed(
  one: OpenedBeside,
  other: OpenedBeside,
  plan: Plan,
  troubles: RunTrouble[],
): Promise<Omit<Compared, 'troubles'>> {
  const { seed, requests, risks, live, signal } = plan;
  const [left, right] = live
    ? [rememberingConsent(one.side), rememberingConsent(other.side)]
    : [one.side, other.side];
  const players = await openBoth(left, right);
  const allowed = { refusals: risks.has('revokes') };
  const played = await playBeside(players.left, players.right, { seed, requests, allowed, signal });
  const spent = () => Math.max(players.left.watched.requests(), players.right.watched.requests());
  const begun = spent();
  // Repeating may take as many requests again. An emulator is free.
  const may = () => !signal.aborted && (!live || spent() - begun < requests);
  const noise = [
    ...(await noiseOf('left', left, played, may)),
    ...(await noiseOf('right', right, played, may)),
  ];
  const confirmed = await confirm(withoutNoise(played, noise), onBoth(left, right, may, signal));
  await players.close();
  const seen = async () =>
    [await probed(one, risks, troubles), await probed(other, risks, troubles)] as const;
  return ended(played, confirmed, noise, plan, troubles, seen);
}

/** Plays a record's stories on a target. Differences between the target's own answers are noise; a record has none. */
async function comparedWithRecord(
  { record, stories, profile }: RecordedSide,
  opened: OpenedBeside,
  plan: Plan,
  troubles: RunTrouble[],
): Promise<Omit<Compared, 'troubles'>> {
  const { requests, risks, live, signal } = plan;
  const names = new Set(record.names);
  const side = record.consent ? rememberingConsent(opened.side) : opened.side;
  const { left: right, close } = await openBoth(side, side, names);
  const { projects, users, clock } = right.session.target;
  if (projects.length < record.projects || users.length < record.users)
    troubles.push({
      kind: 'inconclusive',
      message: `the record names ${record.projects} projects and ${record.users} users; the target has ${projects.length} and ${users.length}: configure as many`,
    });
  const playable = clock === undefined ? stories.map(untilTimePasses) : stories;
  const played = await playRecorded(troubles.length > 0 ? [] : playable, right, {
    requests,
    ...(signal && { signal }),
  });
  const begun = right.watched.requests();
  const may = () => !signal.aborted && (!live || right.watched.requests() - begun < requests);
  const noise = await noiseOf('right', side, played, may, names);
  const confirmed = await confirm(withoutNoise(played, noise), onRecord(playable, side, may, names, signal));
  await close();
  const seen = async () => [profile, await probed(opened, risks, troubles)] as const;
  return ended(played, confirmed, noise, plan, troubles, seen);
}

function withoutNoise(
  { foundDifferences }: PlayedBeside,
  noise: BesideFile['noise'],
): PlayedBeside['foundDifferences'] {
  return foundDifferences.filter(
    ({ difference }) =>
      !noise.some(({ asked, facet }) => asked === difference.asked && facet === difference.facet),
  );
}

/** Joins stories and probes. Skips the probes if a side does not answer, or its budget is spent. */
async function ended(
  played: PlayedBeside,
  confirmed: readonly ConfirmedDifference[],
  noise: BesideFile['noise'],
  { signal }: Plan,
  troubles: RunTrouble[],
  profiles: () => Promise<readonly [Profile, Profile]>,
): Promise<Omit<Compared, 'troubles'>> {
  const catalogue = loadCatalogue();
  const early = signal.aborted || played.endedEarly !== undefined;
  if (early)
    troubles.push({
      kind: 'inconclusive',
      message: signal.aborted ? reasonOf(signal) : String(played.endedEarly),
    });
  const probes = early ? undefined : compareProfiles(...(await profiles()), catalogue);
  const words = (about: string) => (isAspectId(about) ? describedAspect(about, catalogue) : undefined);
  return {
    played,
    differences: [...entriesOf(confirmed, probes, words)],
    noise,
    notCompared: notCompared(probes),
  };
}

async function probed(
  side: OpenedBeside,
  risks: ReadonlySet<Risk>,
  troubles: RunTrouble[],
): Promise<Profile> {
  const { profile, leftBehind } = await side.probed(risks);
  if (leftBehind !== undefined) troubles.push({ kind: 'broken', message: leftBehind });
  return profile;
}

async function noiseOf(
  name: 'left' | 'right',
  side: Side,
  { stories }: PlayedBeside,
  may: () => boolean,
  names?: ReadonlySet<string>,
): Promise<BesideFile['noise']> {
  if (!may()) return [];
  const replayed = stories
    .slice(0, side.live ? NOISE_STORIES.live : NOISE_STORIES.emulated)
    .map((story) => ({ steps: story.steps, answers: story[name] }));
  const found = await noiseIn(replayed, side, names);
  const kinds = Map.groupBy(found, ({ asked, facet }) => `${asked} ${facet}`);
  return [...kinds.values()].flatMap(([one]) =>
    one === undefined ? [] : [{ side: name, asked: one.asked, facet: one.facet }],
  );
}

async function composed(
  left: DescribedSide | RecordedSide,
  right: DescribedSide,
  { seed }: Plan,
  { played, differences, noise, notCompared: onOneSide, troubles }: Compared,
  startedAt: Date,
): Promise<BesideFile> {
  const outcome = conclude({
    troubles,
    violations: differences.map(({ about }) => about),
    gaps: [],
    evaluatedCount: played?.parity.answers ?? 0,
  });
  const { exitCode } = outcome;
  const verdict = exitCode === EXIT.conforms ? 'alike' : exitCode === EXIT.violates ? 'differs' : undefined;
  const nothing = { answers: 0, inOutcome: 0, inAll: 0, gaps: new Map() };
  return {
    schemaVersion: '1.0',
    suiteVersion: await suiteVersion(),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    verdict: verdict ?? (exitCode === EXIT.broken ? 'broken' : 'inconclusive'),
    exitCode: exitCode === EXIT.usage ? EXIT.broken : exitCode,
    because: [...(verdict === 'differs' ? troubles.map(({ message }) => message) : outcome.because)],
    left: sideOf(left),
    right: sideOf(right),
    seed,
    requests: played?.requests ?? { left: 0, right: 0 },
    stories: played?.stories.length ?? 0,
    parity: parityOf(played?.parity ?? nothing),
    differences,
    noise,
    notCompared: [...onOneSide],
  };
}

function sideOf(side: DescribedSide | RecordedSide): BesideFile['left'] {
  return { name: side.name, kind: 'record' in side ? 'record' : side.intended.summary.kind };
}

function configurationOf(side: DescribedSide | RecordedSide): Configuration | undefined {
  return 'record' in side ? undefined : side.intended.configuration;
}

async function tell(
  file: BesideFile,
  secrets: SecretRegistry,
  { report, json, quiet = false }: BesideRequest,
): Promise<ExitCode> {
  const said = JSON.parse(secrets.redact(JSON.stringify(file))) as BesideFile;
  const { clean, leaks } = withholdLeaks(
    [
      { name: 'beside.json', text: `${JSON.stringify(said, null, 2)}\n` },
      { name: 'beside.html', text: besidePage(said) },
    ],
    secrets,
  );
  const failed = [...leaks];
  for (const { name, text } of clean)
    failed.push(...(await whyUnwritten(join(report, name), writeWhole(join(report, name), text))));
  const say = json ? printError : print;
  const all = secrets.redact(besideText(said));
  say(quiet ? `${all.split('\n')[0]}\n` : all);
  if (clean.some(({ name }) => name === 'beside.html') && !quiet)
    say(`\nreport: ${join(report, 'beside.html')} (exit ${said.exitCode})\n`);
  for (const sentence of failed) printError(`${sentence}\n`);
  if (json && leaks.length === 0) printJson(said);
  return failed.length > 0 ? EXIT.broken : said.exitCode;
}

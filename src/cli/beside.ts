import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BesideFile, StoriesFile } from '../../generated/schemas.d.ts';
import { validateStories } from '../../generated/validators.js';
import { parseJson } from '../document/input/plain-data.ts';
import { UsageError } from '../document/input/usage-error.ts';
import { loadCatalogue } from '../document/load-catalogue.ts';
import { isAspectId } from '../document/profiles/aspects.ts';
import type { Profile } from '../document/profiles/profile.ts';
import type { Risk } from '../document/types.ts';
import { reasonOf } from '../http/exchange.ts';
import { SecretRegistry } from '../http/secrets/registry.ts';
import { prepareTarget, type ReadyTarget } from '../judge/run/prepare-target.ts';
import { type PlayedBeside, playBeside, playRecorded } from '../record/beside/beside.ts';
import { confirm, noiseIn, onBoth, onRecord } from '../record/beside/confirm.ts';
import { besideListing, entriesOf, notCompared } from '../record/beside/listing.ts';
import type { RecordedSequence } from '../record/beside/pairing.ts';
import { storiesOf, untilTimePasses } from '../record/beside/record.ts';
import { emulatorSide, liveSide, openBoth, rememberingConsent, type Side } from '../record/beside/sides.ts';
import { ReceivedEvents } from '../record/beside/target-player.ts';
import { observe } from '../record/observe/observe.ts';
import { compareProfiles, describedAspect } from '../report/compare/profiles.ts';
import { listingPage } from '../report/html/listing-page.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, EXIT, type ExitCode, type Signals } from '../report/verdict.ts';
import type { Configuration } from '../target/configuration/configuration.ts';
import { drillTrouble } from '../target/drill.ts';
import { withoutBrowser } from '../target/flow/connect.ts';
import type { Target } from '../target/target.ts';
import { inTime } from './check.ts';
import type { ExploreRequest } from './explore.ts';
import { LIVE_REQUESTS } from './explore-plan.ts';
import { finish } from './finish.ts';
import { profileFrom } from './observe.ts';
import { PROFILE, STORIES } from './observe-stories.ts';
import { suiteVersion } from './own-package.ts';
import { connectingLive, describeTarget, endedWith, type IntendedTarget } from './prepare.ts';
import { knownProfile } from './read-profile.ts';
import { risksFrom } from './select.ts';
import { requireReportFolder } from './write-files.ts';

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
  /** Violations of clause 4.4 by the clean-up. */
  readonly violations: readonly string[];
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
  const { target, profile, defects, beside, report, replay } = request;
  if (replay !== undefined) throw new UsageError('--beside: expected without --replay');
  const own = await describeSide('--target', target, profile, defects);
  const recorded = isFolder(beside) ? await describeRecord(beside) : undefined;
  // The record comes first: it is the old service's.
  const left = recorded ?? own;
  const right = recorded === undefined ? await describeOther(beside) : own;
  if (recorded === undefined) refuseSame(own, right);
  const configurations = [left.configuration, right.configuration];
  requireOwnLocks(configurations);
  const live = configurations.some((configuration) => configuration !== undefined);
  const risks = risksFrom(request.risks, !live);
  requireReportFolder(report);
  if (recorded?.record.refusals && !risks.has('revokes'))
    throw new UsageError('--beside: the record has replays and wrong credentials; add --risk revokes');
  const plan = {
    seed: request.seed ?? recorded?.record.seed ?? randomInt(1, 100_000),
    requests: request.explore ?? recorded?.record.requests ?? (live ? LIVE_REQUESTS : EMULATOR_REQUESTS),
    risks,
    live,
  };
  const startedAt = new Date();
  const { signal } = request;
  const outer = await inTime(left.configuration, { signal }, (ofLeft) =>
    inTime(right.configuration, { signal: ofLeft }, (both = signal) =>
      compared(left, right, { ...plan, signal: both }, secrets, report),
    ),
  );
  const { done: result, late } = outer.done;
  const troubles = [...drillTrouble(own.choice.drill), ...result.troubles, ...outer.late, ...late];
  return composed(left, right, plan, { ...result, troubles }, startedAt);
}

/** Both sides run at once, so each needs a lock of its own. */
function requireOwnLocks([left, right]: readonly (Configuration | undefined)[]): void {
  if (!left?.lock || !right?.lock || left.baseUrl !== right.baseUrl) return;
  if (left.lock.project !== right.lock.project || left.lock.user !== right.lock.user) return;
  throw new UsageError(
    `--beside: expected two different locks at ${left.baseUrl}, got user ${left.lock.user} in project ${left.lock.project} for both: name another user in \`lock\` of one side`,
  );
}

async function compared(
  left: DescribedSide | RecordedSide,
  right: DescribedSide,
  plan: Plan,
  secrets: SecretRegistry,
  report: string,
): Promise<Compared> {
  const ends: OpenedBeside['end'][] = [];
  const troubles: RunTrouble[] = [];
  const violations: string[] = [];
  const open = async (described: DescribedSide, name: 'left' | 'right') => {
    const opened = await openSide(described, name, secrets, report, plan.signal);
    if ('message' in opened) troubles.push(opened);
    else ends.push(opened.end);
    return opened;
  };
  const nothing = { differences: [], noise: [], notCompared: [], troubles, violations };
  try {
    const one = 'record' in left ? left : await open(left, 'left');
    if ('message' in one) return nothing;
    const other = await open(right, 'right');
    if ('message' in other) return nothing;
    return { ...(await played(one, other, plan, troubles)), troubles, violations };
  } finally {
    for (const end of ends) {
      const left = await end();
      troubles.push(...left.troubles);
      violations.push(...left.violations);
    }
  }
}

/**
 * Plays stories on two sides, or a record's stories on one. Repeats what differs, and runs the probes. Differences between a side's
 * own answers are noise; a record has none.
 */
async function played(
  left: OpenedBeside | RecordedSide,
  right: OpenedBeside,
  { seed, requests, risks, live, signal }: Plan,
  troubles: RunTrouble[],
): Promise<Omit<Compared, 'troubles' | 'violations'>> {
  const recorded = 'record' in left ? left : undefined;
  const names = recorded && new Set(recorded.record.names);
  const remembers = recorded?.record.consent ?? live;
  const sideOf = ({ side }: OpenedBeside) => (remembers ? rememberingConsent(side) : side);
  const other = sideOf(right);
  const one = 'record' in left ? other : sideOf(left);
  const players = await openBoth(one, other, names);
  const spent = () => Math.max(players.left.watched.requests(), players.right.watched.requests());
  const stories = recorded && playable(recorded, players.right.session.target, troubles);
  const all =
    stories === undefined
      ? await playBeside(players.left, players.right, {
          ...{ seed, requests, signal },
          refusals: risks.has('revokes'),
        })
      : await playRecorded(troubles.length > 0 ? [] : stories, players.right, { requests, signal });
  const begun = spent();
  // Repeating may take as many requests again. An emulator is free.
  const may = () => !signal.aborted && (!live || spent() - begun < requests);
  const noise = [
    ...(recorded === undefined ? await noiseOf('left', one, all, may) : []),
    ...(await noiseOf('right', other, all, may, names)),
  ];
  const repeating =
    stories === undefined
      ? onBoth(one, other, may, signal)
      : onRecord(stories, other, may, names ?? new Set(), signal);
  const confirmed = await confirm(withoutNoise(all, noise), repeating);
  await players.close();
  const early = signal.aborted ? reasonOf(signal) : all.endedEarly;
  if (early !== undefined) troubles.push({ kind: 'inconclusive', message: early });
  const catalogue = loadCatalogue();
  const profileOf = async (side: OpenedBeside | RecordedSide) => {
    return 'record' in side ? side.profile : side.probed(risks);
  };
  const probes =
    early === undefined
      ? compareProfiles(await profileOf(left), await profileOf(right), catalogue)
      : undefined;
  const words = (about: string) => (isAspectId(about) ? describedAspect(about, catalogue) : undefined);
  return {
    played: all,
    differences: [...entriesOf(confirmed, probes, words)],
    noise,
    notCompared: notCompared(probes),
  };
}

/** Returns the record's stories as the target can play them. */
function playable(
  { record, stories }: RecordedSide,
  { projects, users, clock }: Target,
  troubles: RunTrouble[],
): readonly RecordedSequence[] {
  if (projects.length < record.projects || users.length < record.users)
    troubles.push({
      kind: 'inconclusive',
      message: `the record names ${record.projects} projects and ${record.users} users; the target has ${projects.length} and ${users.length}: configure as many`,
    });
  return clock === undefined ? stories.map(untilTimePasses) : stories;
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
  { seed }: Pick<Plan, 'seed'>,
  { played, differences, noise, notCompared: onOneSide, troubles, violations }: Compared,
  startedAt: Date,
): Promise<BesideFile> {
  const outcome = conclude({
    troubles,
    violations: [...differences.map(({ about }) => about), ...violations],
    gaps: [],
    evaluatedCount: played?.parity.answers ?? 0,
  });
  const { exitCode } = outcome;
  const verdict = exitCode === EXIT.conforms ? 'alike' : exitCode === EXIT.violates ? 'differs' : undefined;
  return {
    schemaVersion: '1.0',
    suiteVersion: suiteVersion(),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    verdict: verdict ?? (exitCode === EXIT.broken ? 'broken' : 'inconclusive'),
    exitCode: exitCode === EXIT.usage ? EXIT.broken : exitCode,
    because: [...(verdict === 'differs' ? troubles.map(({ message }) => message) : outcome.because)],
    left: { name: left.name, kind: left.kind },
    right: { name: right.name, kind: right.kind },
    seed,
    requests: played?.requests ?? { left: 0, right: 0 },
    stories: played?.stories.length ?? 0,
    parity: played?.parity ?? { answers: 0, inOutcome: 0, inAll: 0, gaps: [] },
    differences,
    noise,
    notCompared: [...onOneSide],
  };
}

function tell(
  file: BesideFile,
  secrets: SecretRegistry,
  { report, json, quiet }: BesideRequest,
): Promise<ExitCode> {
  const clean = JSON.parse(secrets.redact(JSON.stringify(file))) as BesideFile;
  const listing = besideListing(clean);
  const page = join(report, 'beside.html');
  return finish({
    listing,
    secrets,
    ...(json && { json: clean }),
    files: [
      { path: join(report, 'beside.json'), text: `${JSON.stringify(clean, null, 2)}\n` },
      { path: page, text: listingPage(listing) },
    ],
    page,
    quiet,
  });
}

interface OpenedBeside {
  readonly side: Side;
  /** Runs the probes of `observe`. */
  probed(risks: ReadonlySet<Risk>): Promise<Profile>;
  end(): Promise<Pick<Signals, 'troubles' | 'violations'>>;
}

interface DescribedSide extends Pick<IntendedTarget, 'choice' | 'configuration'> {
  readonly name: string;
  readonly kind: 'live' | 'emulator';
}

/** @throws UsageError for an invalid target, before anything is sent */
async function describeSide(
  option: string,
  target: string,
  profile: string,
  defects: readonly string[],
): Promise<DescribedSide> {
  if (target !== 'emulator' && !existsSync(target))
    throw new UsageError(`${option}: there is no file ${target}`);
  const { summary, ...intended } = await describeTarget({ target, profile, defects });
  const { kind, name } = summary;
  return { ...intended, kind, name: kind === 'live' ? name : `profile ${name}` };
}

/**
 * Describes the target of `--beside`: a configuration file, or any value of the emulator's `--profile`.
 *
 * @throws UsageError
 */
async function describeOther(other: string): Promise<DescribedSide> {
  const described = other.endsWith('.json')
    ? await describeSide('--beside', other, 'doorkeeper-5', [])
    : await describeSide('--beside', 'emulator', other, []);
  // A drill changes the answers of one side.
  return { ...described, choice: { ...described.choice, drill: undefined } };
}

interface RecordedSide {
  readonly name: string;
  readonly kind: 'record';
  readonly configuration?: undefined;
  readonly record: StoriesFile;
  readonly stories: readonly RecordedSequence[];
  readonly profile: Profile;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @throws UsageError for a folder without a record of `observe --stories` */
async function describeRecord(folder: string): Promise<RecordedSide> {
  const written = readStories(join(folder, STORIES));
  const { target, at } = written;
  const { profile } = await knownProfile('--beside', join(folder, PROFILE));
  return {
    name: `${target}, recorded ${at.slice(0, 10)}`,
    kind: 'record',
    record: written,
    stories: storiesOf(written),
    profile,
  };
}

function readStories(file: string): StoriesFile {
  let why = 'it has another form';
  try {
    const written = parseJson(readFileSync(file, 'utf8'));
    if (validateStories(written)) return written;
  } catch (error) {
    why = (error as Error).message;
  }
  throw new UsageError(
    `--beside: expected a folder that \`observe --stories\` has written; ${file} cannot be read: ${why}`,
  );
}

/** Both sides must not change the same users: neither would see only its own changes. */
function refuseSame({ configuration: left }: DescribedSide, { configuration: right }: DescribedSide): void {
  if (left === undefined || right === undefined || left.baseUrl !== right.baseUrl) return;
  const shared = (a: readonly string[], b: readonly string[]) => a.some((id) => b.includes(id));
  if (shared(left.projects, right.projects) && shared(left.users, right.users))
    throw new UsageError(
      '--beside: both configurations name the same users of the same service; give each side users of its own',
    );
}

/**
 * Opens one side. An emulator is opened again for each repeated story; a live target is connected once.
 *
 * @param report folder for the list of users that the side assigned; the right one's is below it
 * @returns a trouble if the side could not be opened
 */
async function openSide(
  { choice, configuration }: DescribedSide,
  name: 'left' | 'right',
  secrets: SecretRegistry,
  report: string,
  signal: AbortSignal,
): Promise<OpenedBeside | RunTrouble> {
  if (configuration === undefined)
    return {
      side: emulatorSide(choice, secrets),
      probed: async (risks) => {
        const prepared = await prepareTarget(choice, secrets, { connectTo: withoutBrowser, signal });
        try {
          if (!prepared.ready) throw new Error(prepared.trouble.message);
          return await probed(prepared, risks);
        } finally {
          await prepared.close();
        }
      },
      end: async () => ({ troubles: [], violations: [] }),
    };
  const received = new ReceivedEvents();
  const folder = name === 'left' ? resolve(report) : join(resolve(report), 'beside');
  const prepared = await prepareTarget({ ...choice, report: folder }, secrets, {
    ...{ connectTo: connectingLive(), signal, also: received.take },
  });
  if (!prepared.ready) {
    await prepared.close();
    const { kind, message } = prepared.trouble;
    return { kind, message: `${name} side: ${message}` };
  }
  const { watched, environment } = prepared;
  return {
    side: liveSide({ watched, session: environment.session, received }),
    probed: (risks) => probed(prepared, risks),
    end: async () => {
      const left = await endedWith(environment.session);
      await prepared.close();
      return left;
    },
  };
}

async function probed({ environment }: ReadyTarget, risks: ReadonlySet<Risk>) {
  const { session, smokeFlow } = environment;
  const observed = await observe(session, smokeFlow, loadCatalogue(), { risks });
  return profileFrom(observed, session.target, new Date(), risks);
}

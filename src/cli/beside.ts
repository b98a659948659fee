import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BesideFile } from '../../generated/schemas.d.ts';
import { UsageError } from '../document/input/usage-error.ts';
import { loadCatalogue } from '../document/load-catalogue.ts';
import type { Risk } from '../document/types.ts';
import { reasonOf } from '../http/exchange.ts';
import { SecretRegistry } from '../http/secrets/registry.ts';
import {
  type FoundDifference,
  type PlayedBeside,
  playBeside,
  playRecorded,
} from '../record/beside/beside.ts';
import { confirm, noiseIn, onBoth, onRecord } from '../record/beside/confirm.ts';
import { besideListing, entriesOf, notCompared } from '../record/beside/listing.ts';
import type { RecordedSequence } from '../record/beside/pairing.ts';
import { untilTimePasses } from '../record/beside/record.ts';
import { openBoth, rememberingConsent, type Side } from '../record/beside/sides.ts';
import { compareProfiles } from '../report/compare/profiles.ts';
import { listingPage } from '../report/html/listing-page.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, EXIT, type ExitCode } from '../report/verdict.ts';
import { drillTrouble } from '../target/drill.ts';
import type { Target } from '../target/target.ts';
import {
  type DescribedSide,
  describeOther,
  describeRecord,
  describeSide,
  type OpenedBeside,
  openSide,
  type RecordedSide,
  refuseSame,
} from './beside-side.ts';
import { inTime } from './check.ts';
import type { ExploreRequest } from './explore.ts';
import { EMULATOR_REQUESTS, LIVE_REQUESTS } from './explore-plan.ts';
import { finish } from './finish.ts';
import { suiteVersion } from './own-package.ts';
import { risksFrom } from './select.ts';
import { requireReportFolder } from './write-files.ts';

export interface BesideRequest extends ExploreRequest {
  /** Configuration file of a live target, a profile of the emulator (id or file), or the folder of a record. */
  readonly beside: string;
  readonly quiet?: boolean;
}

const BESIDE_JSON = 'beside.json';
const BESIDE_PAGE = 'beside.html';

/** Stories that each side plays twice, to find differences between its own answers. */
const NOISE_STORIES = { emulated: 3, live: 1 } as const;

interface Plan {
  readonly seed: number;
  readonly requests: number;
  readonly risks: ReadonlySet<Risk>;
  readonly live: boolean;
  readonly signal: AbortSignal;
}

export async function besideTarget({ json, quiet, ...request }: BesideRequest): Promise<ExitCode> {
  const secrets = new SecretRegistry();
  const file = await comparedBeside(request, secrets);
  const clean = secrets.redactAll(file);
  const listing = besideListing(clean);
  const page = join(request.report, BESIDE_PAGE);
  return finish({
    listing,
    secrets,
    ...(json && { json: clean }),
    files: [
      { path: join(request.report, BESIDE_JSON), text: `${JSON.stringify(clean, null, 2)}\n` },
      { path: page, text: listingPage(listing) },
    ],
    page,
    quiet,
  });
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
  const { target, profile, defects, beside, report } = request;
  const own = await describeSide('--target', target, profile, defects);
  const isFolder = statSync(beside, { throwIfNoEntry: false })?.isDirectory();
  const recorded = isFolder ? await describeRecord(beside) : undefined;
  // The record comes first: it is the old service's.
  const left = recorded ?? own;
  const right = recorded === undefined ? await describeOther(beside) : own;
  const configurations = [left.configuration, right.configuration];
  refuseSame(left.configuration, right.configuration);
  const live = configurations.some((configuration) => configuration !== undefined);
  const risks = risksFrom(request.risks, !live);
  requireReportFolder(report, [BESIDE_JSON, BESIDE_PAGE]);
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
  const { played, differences, noise } = result;
  const troubles = [...drillTrouble(own.choice.drill), ...result.troubles, ...outer.late, ...late];
  const outcome = conclude({
    troubles,
    violations: [...differences.map(({ about }) => about), ...result.violations],
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
    seed: plan.seed,
    requests: played?.requests ?? { left: 0, right: 0 },
    stories: played?.stories.length ?? 0,
    parity: played?.parity ?? { answers: 0, inOutcome: 0, inAll: 0, gaps: [] },
    differences,
    noise,
    notCompared: result.notCompared,
  };
}

async function compared(
  left: DescribedSide | RecordedSide,
  right: DescribedSide,
  plan: Plan,
  secrets: SecretRegistry,
  report: string,
) {
  const ends: OpenedBeside['end'][] = [];
  const troubles: RunTrouble[] = [];
  const violations: string[] = [];
  const open = async (described: DescribedSide, name: 'left' | 'right') => {
    const opened = await openSide(described, name, secrets, report, plan.signal);
    if ('message' in opened) troubles.push(opened);
    else ends.push(opened.end);
    return opened;
  };
  const nothing = { played: undefined, differences: [], noise: [], notCompared: [], troubles, violations };
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
) {
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
  const isNoise = ({ difference: { asked, facet } }: FoundDifference) =>
    noise.some((one) => one.asked === asked && one.facet === facet);
  const found = all.foundDifferences.filter((difference) => !isNoise(difference));
  const confirmed = await confirm(found, repeating);
  await players.close();
  const early = signal.aborted ? reasonOf(signal) : all.endedEarly;
  if (early !== undefined) troubles.push({ kind: 'inconclusive', message: early });
  const catalogue = loadCatalogue();
  const profileOf = async (side: OpenedBeside | RecordedSide) =>
    'record' in side ? side.profile : side.probed(risks);
  const probes =
    early === undefined
      ? compareProfiles(await profileOf(left), await profileOf(right), catalogue)
      : undefined;
  return {
    played: all,
    differences: [...entriesOf(confirmed, probes, catalogue)],
    noise,
    notCompared: [...notCompared(probes)],
  };
}

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

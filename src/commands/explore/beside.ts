import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { BesideFile } from '../../../generated/schemas.d.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { Risk } from '../../document/types.ts';
import { LIVE_REQUESTS } from '../../evaluation/explore/explore.ts';
import { abortReason } from '../../http/exchange.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { type FoundDifference, type PlayedBeside, playBeside } from '../../record/beside/beside.ts';
import { confirmDifferences, noiseIn } from '../../record/beside/confirm.ts';
import { besideListing, entriesOf, notCompared } from '../../record/beside/listing.ts';
import { openBoth, rememberingConsent, type Side } from '../../record/beside/sides.ts';
import { compareProfiles } from '../../report/compare/profiles.ts';
import { listingPage } from '../../report/html/listing-page.ts';
import type { RunTrouble } from '../../report/results.ts';
import { conclude, type ExitCode, type RunOutcome } from '../../report/verdict.ts';
import { suiteVersion } from '../shared/own-package.ts';
import { printResult } from '../shared/print-result.ts';
import { risksFrom } from '../shared/selection.ts';
import { withinBudget } from '../shared/time-limits.ts';
import { requireReportFolder } from '../shared/write-files.ts';
import { EMULATOR_REQUESTS } from './plan.ts';
import {
  type OpenedBeside,
  openSide,
  type ResolvedSide,
  refuseSameService,
  resolveOther,
  resolveSide,
} from './sides.ts';
import type { ExploreRequest } from './verb.ts';

interface BesideRequest extends ExploreRequest {
  /** Configuration file of a live target, or a profile of the emulator (id or file). */
  readonly beside: string;
  readonly quiet?: boolean;
}

const BESIDE_JSON = 'beside.json';
const BESIDE_PAGE = 'beside.html';

const LIKENESS: Readonly<Record<RunOutcome['verdict'], BesideFile['verdict']>> = {
  conforms: 'alike',
  retired: 'alike',
  violates: 'differs',
  inconclusive: 'inconclusive',
  broken: 'broken',
};

/** Stories that each side plays twice, to find differences between its own answers. */
const NOISE_STORIES = { emulated: 3, live: 1 } as const;

interface BesideSettings {
  readonly seed: number;
  readonly requests: number;
  readonly risks: ReadonlySet<Risk>;
  readonly live: boolean;
  readonly signal: AbortSignal;
}

/** The verb `explore --beside`. Returns 0 if nothing differs, 1 if something does, 3 if too little was compared. */
export async function besideTarget({ json, quiet, ...request }: BesideRequest): Promise<ExitCode> {
  const secrets = new SecretRegistry();
  const file = await compareTargets(request, secrets);
  const clean = secrets.redactAll(file);
  const listing = besideListing(clean);
  const page = join(request.report, BESIDE_PAGE);
  return printResult({
    listing,
    secrets,
    json: json && clean,
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
export async function compareTargets(
  request: Omit<BesideRequest, 'json' | 'quiet' | 'strict'>,
  secrets: SecretRegistry,
): Promise<BesideFile> {
  const { beside, report } = request;
  const left = await resolveSide(request);
  const right = await resolveOther(beside);
  const configurations = [left.configuration, right.configuration];
  refuseSameService(left.configuration, right.configuration);
  const live = configurations.some((configuration) => configuration !== undefined);
  const risks = risksFrom(request.risks, !live);
  requireReportFolder(report, [BESIDE_JSON, BESIDE_PAGE]);
  const settings = {
    seed: request.seed ?? randomInt(1, 100_000),
    requests: request.explore ?? (live ? LIVE_REQUESTS : EMULATOR_REQUESTS),
    risks,
    live,
  };
  const startedAt = new Date();
  const { signal } = request;
  const outer = await withinBudget(left.configuration, { signal }, (ofLeft) =>
    withinBudget(right.configuration, { signal: ofLeft }, (both = signal) =>
      openAndPlay(left, right, { ...settings, signal: both }, secrets, report),
    ),
  );
  const { done: result, late } = outer.done;
  const { played, differences, noise } = result;
  const troubles = [...result.troubles, ...outer.late, ...late];
  const outcome = conclude({
    troubles,
    violations: [...differences.map(({ about }) => about), ...result.violations],
    evaluatedCount: played?.parity.answers ?? 0,
  });
  const { exitCode } = outcome;
  const verdict = LIKENESS[outcome.verdict];
  return {
    schemaVersion: '1.0',
    suiteVersion: suiteVersion(),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    verdict,
    exitCode,
    because: [...(verdict === 'differs' ? troubles.map(({ message }) => message) : outcome.because)],
    left: { name: left.name, kind: left.kind },
    right: { name: right.name, kind: right.kind },
    seed: settings.seed,
    requests: played?.requests ?? { left: 0, right: 0 },
    stories: played?.stories.length ?? 0,
    parity: played?.parity ?? { answers: 0, inOutcome: 0, inAll: 0, gaps: [] },
    differences,
    noise,
    notCompared: result.notCompared,
  };
}

/** Opens both sides, plays on them and ends them. */
async function openAndPlay(
  left: ResolvedSide,
  right: ResolvedSide,
  settings: BesideSettings,
  secrets: SecretRegistry,
  report: string,
) {
  const ends: OpenedBeside['end'][] = [];
  const troubles: RunTrouble[] = [];
  const violations: string[] = [];
  const open = async (described: ResolvedSide, name: 'left' | 'right') => {
    const opened = await openSide(described, name, secrets, report, settings.signal);
    if ('message' in opened) troubles.push(opened);
    else ends.push(opened.end);
    return opened;
  };
  const nothing = { played: undefined, differences: [], noise: [], notCompared: [], troubles, violations };
  try {
    const one = await open(left, 'left');
    if ('message' in one) return nothing;
    const other = await open(right, 'right');
    if ('message' in other) return nothing;
    return { ...(await playAndConfirm(one, other, settings, troubles)), troubles, violations };
  } finally {
    for (const end of ends) {
      const left = await end();
      troubles.push(...left.troubles);
      violations.push(...left.violations);
    }
  }
}

/** Plays stories on two sides. Repeats what differs, and runs the probes. Differences between a side's own answers are noise. */
async function playAndConfirm(
  left: OpenedBeside,
  right: OpenedBeside,
  { seed, requests, risks, live, signal }: BesideSettings,
  troubles: RunTrouble[],
) {
  const sideOf = ({ side }: OpenedBeside) => (live ? rememberingConsent(side) : side);
  const [one, other] = [sideOf(left), sideOf(right)];
  const players = await openBoth(one, other);
  const spent = () => Math.max(players.left.watched.requests(), players.right.watched.requests());
  const refusals = risks.has('revokes');
  const all = await playBeside(players.left, players.right, { seed, requests, signal, refusals });
  const begun = spent();
  // Repeating may take as many requests again. An emulator is free.
  const may = () => !signal.aborted && (!live || spent() - begun < requests);
  const noise = [...(await noiseOf('left', one, all, may)), ...(await noiseOf('right', other, all, may))];
  const isNoise = ({ difference: { asked, facet } }: FoundDifference) =>
    noise.some((one) => one.asked === asked && one.facet === facet);
  const found = all.foundDifferences.filter((difference) => !isNoise(difference));
  const confirmed = await confirmDifferences(found, { left: one, right: other, may, signal });
  await players.close();
  const early = signal.aborted ? abortReason(signal) : all.endedEarly;
  if (early !== undefined) troubles.push({ kind: 'inconclusive', message: early });
  const catalogue = loadCatalogue();
  const probes =
    early === undefined
      ? compareProfiles(await left.probed(risks), await right.probed(risks), catalogue)
      : undefined;
  return {
    played: all,
    differences: [...entriesOf(confirmed, probes, catalogue)],
    noise,
    notCompared: [...notCompared(probes)],
  };
}

async function noiseOf(
  name: 'left' | 'right',
  side: Side,
  { stories }: PlayedBeside,
  may: () => boolean,
): Promise<BesideFile['noise']> {
  if (!may()) return [];
  const replayed = stories
    .slice(0, side.live ? NOISE_STORIES.live : NOISE_STORIES.emulated)
    .map((story) => ({ steps: story.steps, answers: story[name] }));
  const found = await noiseIn(replayed, side);
  const kinds = Map.groupBy(found, ({ asked, facet }) => `${asked} ${facet}`);
  return [...kinds.values()].flatMap(([one]) =>
    one === undefined ? [] : [{ side: name, asked: one.asked, facet: one.facet }],
  );
}

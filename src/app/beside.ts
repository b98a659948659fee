import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { BesideFile } from '../../generated/schemas.d.ts';
import { type PlayedBeside, playBeside } from '../beside/beside.ts';
import { entriesOf, notCompared, parityOf } from '../beside/compose.ts';
import { confirm, noiseIn } from '../beside/confirm.ts';
import { besidePage } from '../beside/page.ts';
import { openBoth, type Side } from '../beside/sides.ts';
import { besideText } from '../beside/text.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import type { Risk } from '../catalogue/types.ts';
import type { Comparison } from '../compare/changes.ts';
import { compareProfiles, wordsOf } from '../compare/profiles.ts';
import { reasonOf } from '../exchange/exchange.ts';
import { UsageError } from '../input/usage-error.ts';
import { isAspectId } from '../profiles/aspects.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import {
  type DescribedSide,
  describeOther,
  describeSide,
  folderOf,
  type OpenedBeside,
  openSide,
  refuseSame,
} from './beside-side.ts';
import { limitOf } from './check.ts';
import type { ExploreRequest } from './explore.ts';
import { LIVE_REQUESTS } from './explore-plan.ts';
import { risksFrom } from './observe-request.ts';
import { print, printError, printJson } from './print.ts';
import { suiteVersion } from './suite-version.ts';
import { withholdLeaks } from './write-scanned.ts';
import { requireWritableFolder, whyNotWritten, writeWhole } from './write-whole.ts';

export interface BesideRequest extends ExploreRequest {
  /** Configuration file of a live target, or a profile of the emulator: id or file. */
  readonly beside: string;
  readonly quiet?: boolean;
}

/** Default number of requests to each emulator; they take some seconds. */
const EMULATOR_REQUESTS = 1_000;

/** Stories that each side plays twice, to learn what it answers differently to itself. */
const NOISE_STORIES = { emulated: 3, live: 1 } as const;

/** What is to be played. */
interface Plan {
  readonly seed: number;
  readonly requests: number;
  readonly risks: ReadonlySet<Risk>;
  readonly live: boolean;
  readonly signal: AbortSignal;
}

/** What came of it. */
interface Came {
  readonly played?: PlayedBeside;
  readonly differences: BesideFile['differences'];
  readonly noise: BesideFile['noise'];
  readonly notCompared: readonly string[];
  readonly troubles: readonly RunTrouble[];
}

/** The verb `explore --beside`. */
export async function besideTarget(request: BesideRequest): Promise<ExitCode> {
  const secrets = new SecretRegistry();
  return tell(await comparedBeside(request, secrets), secrets, request);
}

/**
 * Plays the same stories on two targets in step, and asks both the probes of `observe`.
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
  const left = await describeSide('--target', target, profile, defects);
  const right = await describeOther(beside);
  refuseSame(left, right);
  const live = [left, right].some(({ intended }) => intended.configuration !== undefined);
  const risks = risksFrom('--risk', request.risks, !live);
  requireWritableFolder('--report', report);
  const limits = [left, right].map(({ intended }) => limitOf(intended.configuration, {}));
  const plan: Plan = {
    seed: request.seed ?? randomInt(1, 100_000),
    requests: request.explore ?? (live ? LIVE_REQUESTS : EMULATOR_REQUESTS),
    risks,
    live,
    signal: AbortSignal.any([request.signal, ...limits.map(({ signal }) => signal)]),
  };
  const startedAt = new Date();
  let came: Came;
  try {
    came = await compared(left, right, plan, secrets, report);
  } finally {
    for (const limit of limits) limit.end();
  }
  const late = limits.flatMap((limit): RunTrouble[] =>
    limit.late === undefined ? [] : [{ kind: 'inconclusive', message: limit.late }],
  );
  return composed(left, right, plan, { ...came, troubles: [...came.troubles, ...late] }, startedAt);
}

async function compared(
  left: DescribedSide,
  right: DescribedSide,
  plan: Plan,
  secrets: SecretRegistry,
  report: string,
): Promise<Came> {
  const ended: (() => Promise<string | undefined>)[] = [];
  const nothing = { differences: [], noise: [], notCompared: [] };
  const troubles: RunTrouble[] = [];
  let came: Omit<Came, 'troubles'> = nothing;
  try {
    const opened: OpenedBeside[] = [];
    for (const [described, name] of [
      [left, 'left'],
      [right, 'right'],
    ] as const) {
      const one = await openSide(described, secrets, folderOf(report, name), plan.signal);
      if (!one.ok) {
        const message = `${name} side: ${one.trouble.message}`;
        return { ...nothing, troubles: [...troubles, { ...one.trouble, message }] };
      }
      opened.push(one.opened);
      ended.push(one.opened.end);
    }
    const [one, other] = opened;
    if (one !== undefined && other !== undefined) came = await playedAndProbed(one, other, plan, troubles);
  } finally {
    for (const end of ended) {
      const message = await end();
      if (message !== undefined) troubles.push({ kind: 'broken', message });
    }
  }
  return { ...came, troubles };
}

async function playedAndProbed(
  one: OpenedBeside,
  other: OpenedBeside,
  plan: Plan,
  troubles: RunTrouble[],
): Promise<Omit<Came, 'troubles'>> {
  const { seed, requests, risks, live, signal } = plan;
  const players = await openBoth(one.side, other.side);
  const allowed = { refusals: risks.has('revokes') };
  const played = await playBeside(players.left, players.right, { seed, requests, allowed, signal });
  const spent = () => Math.max(players.left.watched.requests(), players.right.watched.requests());
  const begun = spent();
  // Repeating may take as many requests again. An emulator is another one each time, and costs nothing.
  const may = () => !signal.aborted && (!live || spent() - begun < requests);
  const noise = [
    ...(await noiseOf('left', one.side, played, may)),
    ...(await noiseOf('right', other.side, played, may)),
  ];
  const sightings = played.sightings.filter(
    ({ difference }) =>
      !noise.some(({ asked, facet }) => asked === difference.asked && facet === difference.facet),
  );
  const confirmed = await confirm(sightings, one.side, other.side, { may, signal });
  await players.close();
  if (played.endedEarly !== undefined)
    troubles.push({ kind: 'inconclusive', message: signal.aborted ? reasonOf(signal) : played.endedEarly });
  // Nothing more is asked of a side that does not answer, or whose budget is spent.
  const probed = signal.aborted || played.endedEarly ? undefined : await probes(one, other, risks, troubles);
  const catalogue = loadCatalogue();
  const words = (about: string) => (isAspectId(about) ? wordsOf(about, catalogue) : undefined);
  return {
    played,
    differences: [...entriesOf(confirmed, probed, words)],
    noise,
    notCompared: notCompared(probed),
  };
}

async function noiseOf(
  name: 'left' | 'right',
  side: Side,
  { stories }: PlayedBeside,
  may: () => boolean,
): Promise<BesideFile['noise']> {
  if (!may()) return [];
  const told = stories
    .slice(0, side.live ? NOISE_STORIES.live : NOISE_STORIES.emulated)
    .map((story) => ({ steps: story.steps, answers: story[name] }));
  const found = await noiseIn(told, side);
  const kinds = Map.groupBy(found, ({ asked, facet }) => `${asked} ${facet}`);
  return [...kinds.values()].flatMap(([one]) =>
    one === undefined ? [] : [{ side: name, asked: one.asked, facet: one.facet }],
  );
}

async function probes(
  one: OpenedBeside,
  other: OpenedBeside,
  risks: ReadonlySet<Risk>,
  troubles: RunTrouble[],
): Promise<Comparison> {
  const seen = [];
  for (const side of [one, other]) {
    const { profile, leftBehind } = await side.probed(risks);
    if (leftBehind !== undefined) troubles.push({ kind: 'broken', message: leftBehind });
    seen.push(profile);
  }
  const [left, right] = seen;
  if (left === undefined || right === undefined) throw new Error('two sides are probed');
  return compareProfiles(left, right, loadCatalogue());
}

async function composed(
  left: DescribedSide,
  right: DescribedSide,
  { seed }: Plan,
  { played, differences, noise, notCompared: onOneSide, troubles }: Came,
  startedAt: Date,
): Promise<BesideFile> {
  const outcome = conclude({
    troubles,
    violations: differences.map(({ about }) => about),
    gaps: [],
    judged: played?.parity.answers ?? 0,
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

function sideOf({ name, intended }: DescribedSide): BesideFile['left'] {
  return { name, kind: intended.summary.kind };
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
    await writeWhole(join(report, name), text).catch((error: unknown) => {
      failed.push(`${join(report, name)} could not be written (${whyNotWritten(error)})`);
    });
  const say = json ? printError : print;
  const all = secrets.redact(besideText(said));
  say(quiet ? `${all.split('\n')[0]}\n` : all);
  if (clean.some(({ name }) => name === 'beside.html') && !quiet)
    say(`\nreport: ${join(report, 'beside.html')} (exit ${said.exitCode})\n`);
  for (const sentence of failed) printError(`${sentence}\n`);
  if (json && leaks.length === 0) printJson(said);
  return failed.length > 0 ? EXIT.broken : said.exitCode;
}

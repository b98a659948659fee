import type { RequirementId } from '../../../generated/ids.ts';
import type { Defect } from '../../../src/emulator/defects/define-defect.ts';
import { explore } from '../../../src/evaluation/explore/explore.ts';
import { openToExplore } from '../../../src/evaluation/explore/replay.ts';
import { emulatorTarget, emulatorToExplore } from '../../../src/service/emulator.ts';
import { runWithoutBrowser } from '../kill-matrix/run-checks.ts';
import type { ProvenDefect } from '../second-order/define-second-order.ts';
import { anyDefectsById } from '../second-order/index.ts';

/** The findings of one exploration of a defect. */
export interface SeedRow {
  readonly seed: number;
  /** Requests until something was found; undefined where nothing was. */
  readonly found: number | undefined;
  /** Requests until a requirement was found that the defect breaks. */
  readonly listed: number | undefined;
  readonly ids: readonly RequirementId[];
}

/** The ways of finding one defect. */
export interface ExploreRow {
  readonly defect: string;
  /** Requirements that failed in their own checks. */
  readonly checks: readonly RequirementId[];
  /** Requirements that failed by what other exchanges showed. */
  readonly monitors: readonly RequirementId[];
  readonly seeds: readonly SeedRow[];
}

/** Explorations that go on side by side. */
const AT_ONCE = 5;

/** Requests of one exploration at most. */
const MOST_REQUESTS = 5_000;

/**
 * Runs all checks and a number of explorations on an emulator with one defect.
 *
 * @param seeds numbers to explore with
 */
export async function exploreRow(
  { id, breaks }: Pick<ProvenDefect, 'id' | 'breaks'>,
  profile: string,
  seeds: readonly number[],
): Promise<ExploreRow> {
  const defects = anyDefectsById([id]);
  const outcomes = await runWithoutBrowser(await emulatorTarget({ profile, defects, sockets: false }));
  const failed = outcomes.filter(({ result }) => result === 'fail' || result === 'warning');
  const rows: SeedRow[] = [];
  const left = [...seeds];
  const exploring = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift())
      rows.push(await exploreWith(seed, defects, breaks, profile));
  };
  // Requests that are made to meet take their time, in which others can be sent.
  await Promise.all(Array.from({ length: AT_ONCE }, exploring));
  return {
    defect: id,
    checks: failed.filter(({ byMonitor }) => !byMonitor).map((one) => one.id),
    monitors: failed.filter(({ byMonitor }) => byMonitor).map((one) => one.id),
    seeds: rows.sort((one, other) => one.seed - other.seed),
  };
}

async function exploreWith(
  seed: number,
  defects: readonly Defect[],
  breaks: readonly RequirementId[],
  profile: string,
): Promise<SeedRow> {
  const open = async () => openToExplore(await emulatorToExplore(profile, defects));
  const { watched, session, close } = await open();
  const fresh = async () =>
    openToExplore(await emulatorToExplore(profile, defects), undefined, watched.monitor.learnt);
  try {
    const { findings } = await explore(watched, session, {
      seed,
      requests: MOST_REQUESTS,
      refusals: true,
      fresh,
      until: (finding) => breaks.includes(finding.id),
    });
    const [first] = findings;
    const listed = findings.find((finding) => breaks.includes(finding.id));
    return {
      seed,
      found: first?.afterRequests,
      listed: listed?.afterRequests,
      ids: findings.map(({ id }) => id),
    };
  } finally {
    await close();
  }
}

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../../document/input/usage-error.ts';
import { LIVE_REQUESTS } from '../../evaluation/explore/explore.ts';
import {
  notAllowedLive,
  type OwnRecords,
  type ReplayFile,
  readReplay,
} from '../../evaluation/explore/replay-file.ts';
import type { ExplorePlan } from '../../evaluation/run/prepare-target.ts';
import type { ExploreOptions } from './options.ts';

/** Default number of requests for the emulator; they take a second. */
export const EMULATOR_REQUESTS = 2_500;

/** Keeps seeds short enough to type. */
const MOST_SEEDS = 100_000;

/**
 * Returns the plan of an exploration; undefined for none.
 *
 * @param live the records that may be changed on a live target; undefined for the emulator
 * @param refusals true if replays, old refresh tokens and wrong credentials may be sent
 * @param version of the suite: by default all runs of a version explore a live target in the same way
 * @throws UsageError for a file without a sequence, or with one that this target does not permit
 */
export function explorePlan(
  { explore, seed, replay }: ExploreOptions,
  live: OwnRecords | undefined,
  refusals: boolean,
  version?: string,
): ExplorePlan | undefined {
  const replays = replay === undefined ? [] : [sequence(replay)];
  const unaskedLive = version === undefined ? 0 : LIVE_REQUESTS;
  const requests =
    replay === undefined ? (explore ?? (live === undefined ? EMULATOR_REQUESTS : unaskedLive)) : 0;
  if (requests === 0 && replays.length === 0) return undefined;
  for (const { name, steps } of replays) {
    const why = live && notAllowedLive(steps, live, refusals);
    if (why !== undefined) throw new UsageError(`${name}: not done on a live target: ${why}`);
  }
  const fixed = live === undefined || version === undefined ? undefined : seedOf(version);
  const asBudgetAllows = live !== undefined && explore === undefined;
  return {
    requests,
    ...(asBudgetAllows && { asBudgetAllows }),
    seed: seed ?? fixed ?? randomInt(1, MOST_SEEDS),
    replays,
    refusals,
  };
}

/** Returns the seed of a version, from 1. */
function seedOf(version: string): number {
  return [...version].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % MOST_SEEDS, 1) || 1;
}

function sequence(file: string): ReplayFile {
  try {
    return readReplay(readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw new UsageError(`--replay: expected a file with a sequence; ${(error as Error).message}`);
  }
}

import { countShown, REPETITIONS, type Repeated, shrink, sliceFor } from '../../evaluation/explore/shrink.ts';
import type { Step } from '../../evaluation/explore/steps.ts';
import { type Difference, keyOf } from './answer.ts';
import type { FoundDifference } from './beside.ts';
import { PairedPlay, type RecordedSequence, recordPlayer, type StoryPlayer } from './paired-play.ts';
import { onOpenSides, type Side } from './sides.ts';

export interface ConfirmedDifference {
  /** The aspect of an open point, or another subject. */
  readonly group: string;
  /** The shortest story that shows it; otherwise the steps that its last step needs. */
  readonly steps: readonly Step[];
  readonly difference: Difference;
  readonly beside: readonly Difference[];
  readonly again: Repeated;
  readonly also: readonly string[];
  readonly afterRequests: number;
}

/** Repetitions in which one side alone must not differ, for differences under concurrent requests. */
const ALONE = 5;

const TRIES = { emulated: 120, live: 20 } as const;

/** Longer stories are not repeated on a live target. */
const LONGEST_LIVE = 40;

/** Both sides of a confirmation, and its limits. */
interface Repeating {
  readonly left: Side;
  readonly right: Side;
  readonly may: () => boolean;
  readonly signal?: AbortSignal;
}

export async function confirmDifferences(
  foundDifferences: readonly FoundDifference[],
  repeating: Repeating,
): Promise<readonly ConfirmedDifference[]> {
  // The shortest first, to leave most requests for the others.
  const shortestFirst = foundDifferences.toSorted((one, other) => one.steps.length - other.steps.length);
  const groups = Map.groupBy(shortestFirst, ({ difference }) => difference.subject);
  const confirmed: ConfirmedDifference[] = [];
  for (const [group, seen] of groups) {
    const also = [...new Set(seen.map(({ difference }) => difference.asked))];
    const lengthOf = ({ steps, difference }: FoundDifference) =>
      (difference.atOnce ? 1_000 : 0) + sliceFor(steps).length;
    const simplestFirst = seen.toSorted((one, other) => lengthOf(one) - lengthOf(other));
    let best: ConfirmedDifference | undefined;
    for (const found of simplestFirst.slice(0, MOST_TRIED)) {
      if (repeating.signal?.aborted || (best !== undefined && !repeating.may())) break;
      const one = await confirmedStory(found, repeating);
      if (one === undefined) continue;
      if (best === undefined || one.again.shown > best.again.shown)
        best = { group, also: also.filter((asked) => asked !== found.difference.asked), ...one };
      if (one.again.shown === REPETITIONS) break;
    }
    if (best !== undefined) confirmed.push(best);
  }
  return confirmed;
}

const MOST_TRIED = 3;

/** Returns undefined if one side alone differs in the same way. */
async function confirmedStory(
  { key, steps, difference, afterRequests }: FoundDifference,
  { left, right, may }: Repeating,
): Promise<Omit<ConfirmedDifference, 'group' | 'also'> | undefined> {
  const live = left.live || right.live;
  const differences = (candidate: readonly Step[]) =>
    onOpenSides(left, right, (one, other) => played(candidate, one, other));
  const slice = sliceFor(steps);
  const found = { steps: slice, difference, beside: [difference], afterRequests };
  if (!may() || (live && slice.length > LONGEST_LIVE)) return { ...found, again: { shown: 0, of: 0 } };
  const shows = async (candidate: readonly Step[]) =>
    (await differences(candidate)).some((one) => keyOf(one) === key);
  let start = live ? slice : steps;
  let again = await countShown(start, shows);
  if (live && again.shown === 0 && steps.length <= LONGEST_LIVE) {
    start = steps;
    again = await countShown(start, shows);
  }
  if (difference.atOnce && (again.shown < REPETITIONS || (await showsAlone(start, difference, left))))
    return undefined;
  if (again.shown < REPETITIONS) return { ...found, again };
  const tries = live ? TRIES.live : TRIES.emulated;
  const shortest = await shrink(start, async (candidate) => may() && shows(candidate), tries);
  const last = await differences(shortest);
  return {
    steps: shortest,
    difference: last.find((one) => keyOf(one) === key) ?? difference,
    beside: last,
    again: await countShown(shortest, shows),
    afterRequests,
  };
}

/** True if one side alone, played several times, shows the same difference. */
async function showsAlone(
  steps: readonly Step[],
  { asked, facet }: Difference,
  left: Side,
): Promise<boolean> {
  for (let time = 0; time < ALONE; time += 1) {
    const again = await noiseIn([{ steps, answers: await answersOf(steps, left) }], left);
    if (again.some((one) => one.asked === asked && one.facet === facet)) return true;
  }
  return false;
}

function answersOf(steps: readonly Step[], side: Side): Promise<RecordedSequence['answers']> {
  return onOpenSides(side, side, async (left) => {
    left.begin();
    const answers: RecordedSequence['answers'][number][] = [];
    for (const [index, step] of steps.entries()) answers.push(await left.play(step, index));
    await left.end();
    return answers;
  });
}

/** Replays stories in order on the side that recorded them. Differences here are noise. */
export function noiseIn(stories: readonly RecordedSequence[], side: Side): Promise<readonly Difference[]> {
  return onOpenSides(side, side, async (left) => {
    const found: Difference[] = [];
    for (const recorded of stories)
      found.push(...(await played(recorded.steps, recordPlayer(recorded), left)));
    return found;
  });
}

async function played(
  steps: readonly Step[],
  left: StoryPlayer,
  right: StoryPlayer,
): Promise<readonly Difference[]> {
  const pairing = new PairedPlay(left, right);
  const found: Difference[] = [];
  await pairing.begin();
  try {
    for (const [index, step] of steps.entries()) found.push(...(await pairing.play(step, index)).differences);
  } finally {
    await pairing.end();
  }
  return found;
}

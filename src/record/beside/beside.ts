import type { BesideFile } from '../../../generated/schemas.d.ts';
import { Random } from '../../evaluation/explore/random.ts';
import type { Scenario } from '../../evaluation/explore/scenarios/index.ts';
import type { Script } from '../../evaluation/explore/script.ts';
import { sliceFor } from '../../evaluation/explore/shrink.ts';
import { StepChooser } from '../../evaluation/explore/step-chooser.ts';
import { StepSupply } from '../../evaluation/explore/step-supply.ts';
import type { Step } from '../../evaluation/explore/steps.ts';
import { type Difference, isAnswered, keyOf, type StoryAnswer } from './answer.ts';
import { PairedPlay, type PlayedStep } from './paired-play.ts';
import type { TargetPlayer } from './target-player.ts';

interface StoryOptions {
  readonly seed: number;
  /** For each side, without those for confirming and shortening. */
  readonly requests: number;
  readonly refusals: boolean;
  readonly signal?: AbortSignal;
}

interface PlayedStory {
  readonly steps: readonly Step[];
  readonly left: readonly (readonly StoryAnswer[])[];
  readonly right: readonly (readonly StoryAnswer[])[];
}

export interface FoundDifference {
  readonly key: string;
  readonly difference: Difference;
  readonly steps: readonly Step[];
  readonly afterRequests: number;
}

export interface PlayedBeside {
  readonly stories: readonly PlayedStory[];
  readonly foundDifferences: readonly FoundDifference[];
  readonly parity: BesideFile['parity'];
  readonly requests: { readonly left: number; readonly right: number };
  readonly endedEarly?: string;
}

/** Steps of an episode. Afterwards both sides forget all tokens and unassign own users. */
const EPISODE = 40;

const MET_BY_CLIENTS = ['outcome', 'users listed', 'other users listed', 'list'];

const UNANSWERED = 'requests were not answered any more, or a budget is spent';
const STOPPED = 'the run was interrupted';

export async function playBeside(
  left: TargetPlayer,
  right: TargetPlayer,
  { seed, requests: most, refusals, signal }: StoryOptions,
): Promise<PlayedBeside> {
  const pairing = new PairedPlay(left, right);
  const collected = new Collected();
  const begun = { left: left.watched.requests(), right: right.watched.requests() };
  const requests = () => ({
    left: left.watched.requests() - begun.left,
    right: right.watched.requests() - begun.right,
  });
  const isOver = () => signal?.aborted === true || Math.max(requests().left, requests().right) >= most;
  const chosen = { ...left.watched, session: left.session };
  const supply = new StepSupply(new Random(seed), chosen, () => left.performer, refusals);
  const chooser = new StepChooser(supply, most, () => requests().left, OPEN_SCENARIOS);
  const { forgetConsent, kind } = supply.target;

  /** Plays an episode on both sides. Returns false if no step was answered. */
  const episode = async (): Promise<boolean> => {
    const steps: Step[] = [];
    const played: PlayedStep[] = [];
    const play = async (step: Step): Promise<boolean> => {
      if (isOver()) return false;
      if (step.do === 'authorize wrongly' && step.how === 'deny' && forgetConsent === undefined) return true;
      const one = await pairing.play(left.place.shared(step), steps.length);
      if (one.step === undefined) return true;
      steps.push(one.step);
      played.push(one);
      collected.take(one, steps, requests().left);
      // The suite stops sending to a live service that is busy.
      return kind === 'emulator' || [...one.left, ...one.right].every(isAnswered);
    };
    const playAll = async () => {
      for (let count = 0; count < EPISODE; )
        for (const step of chooser.next()) {
          count += 1;
          if (!(await play(step))) return;
        }
    };
    await pairing.begin();
    try {
      await playAll();
    } finally {
      await pairing.end();
    }
    collected.stories.push({
      steps,
      left: played.map((one) => one.left),
      right: played.map((one) => one.right),
    });
    return played.some((one) => [...one.left, ...one.right].some(isAnswered));
  };

  let isAnswering = true;
  while (isAnswering && !isOver()) {
    supply.focus();
    isAnswering = await episode();
  }
  const unanswered = isAnswering || isOver() ? undefined : UNANSWERED;
  const endedEarly = signal?.aborted ? STOPPED : unanswered;
  return { ...collected.all, requests: requests(), endedEarly };
}

class Collected {
  readonly stories: PlayedStory[] = [];
  readonly #foundDifferences = new Map<string, FoundDifference & { readonly needed: number }>();
  readonly #gaps = new Map<string, number>();
  #answers = 0;
  #inOutcome = 0;
  #inAll = 0;

  get all(): Pick<PlayedBeside, 'stories' | 'foundDifferences' | 'parity'> {
    const parity = {
      answers: this.#answers,
      inOutcome: this.#inOutcome,
      inAll: this.#inAll,
      gaps: [...this.#gaps]
        .map(([facet, answers]) => ({ facet, answers }))
        .sort((one, other) => other.answers - one.answers),
    };
    return { stories: this.stories, foundDifferences: [...this.#foundDifferences.values()], parity };
  }

  take({ pairs, differences }: PlayedStep, steps: readonly Step[], afterRequests: number): void {
    for (const pair of pairs) {
      if (!pair.answered) continue;
      const facets = new Set(pair.differences.map(({ facet }) => facet));
      this.#answers += 1;
      if (facets.size === 0) this.#inAll += 1;
      if (!MET_BY_CLIENTS.some((facet) => facets.has(facet))) this.#inOutcome += 1;
      for (const facet of facets) this.#gaps.set(facet, (this.#gaps.get(facet) ?? 0) + 1);
    }
    if (differences.length === 0) return;
    const needed = sliceFor(steps).length;
    for (const difference of differences) {
      const key = keyOf(difference);
      const known = this.#foundDifferences.get(key);
      if (known !== undefined && known.needed <= needed) continue;
      this.#foundDifferences.set(key, {
        key,
        difference,
        steps: [...steps],
        afterRequests: known?.afterRequests ?? afterRequests,
        needed,
      });
    }
  }
}

/** Seconds between a code and its exchange. The document gives codes no lifetime (clause 8). */
const WAITS = [31, 61, 121, 301, 601] as const;

/** Situations in which the document demands nothing, so that only a comparison shows a difference. */
const OPEN_SCENARIOS: readonly Scenario[] = [
  { name: 'a code waits', write: codeWaits, times: 3, needs: ['clock'] },
  { name: 'the old token', write: oldToken, times: 3 },
];

function codeWaits(script: Script): void {
  const code = script.code();
  script.wait(script.supply.decks.next(WAITS));
  script.list(script.supply.project(), script.exchange(code));
}

function oldToken(script: Script): void {
  const project = script.supply.project();
  const { pair } = script.pair();
  const next = script.refresh(pair);
  script.list(project, pair);
  script.list(project, next);
  script.list(project, pair);
}

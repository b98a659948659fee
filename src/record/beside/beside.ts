import type { BesideFile } from '../../../generated/schemas.d.ts';
import { Random } from '../../evaluation/explore/random.ts';
import type { Script } from '../../evaluation/explore/script.ts';
import { sliceFor } from '../../evaluation/explore/shrink.ts';
import type { Situation } from '../../evaluation/explore/situations/index.ts';
import { StepChooser } from '../../evaluation/explore/step-chooser.ts';
import { StepSupply } from '../../evaluation/explore/step-supply.ts';
import type { Step } from '../../evaluation/explore/steps.ts';
import { type Difference, isAnswered, keyOf, type StoryAnswer } from './answer.ts';
import { PairedPlay, type PlayedStep } from './paired-play.ts';
import type { TargetPlayer } from './target-player.ts';

interface BesidePlan {
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

export async function playBeside(
  left: TargetPlayer,
  right: TargetPlayer,
  plan: BesidePlan,
): Promise<PlayedBeside> {
  const beside = new Beside(left, right, plan);
  await beside.run();
  return beside.played;
}

const UNANSWERED = 'requests were not answered any more, or a budget is spent';
const STOPPED = 'the run was interrupted';

class Beside {
  readonly #left: TargetPlayer;
  readonly #right: TargetPlayer;
  readonly #plan: BesidePlan;
  readonly #pairing: PairedPlay;
  readonly #supply: StepSupply;
  readonly #chooser: StepChooser;
  readonly #random: Random;
  readonly #collected = new Collected();
  readonly #begun: { readonly left: number; readonly right: number };
  #endedEarly: string | undefined;

  constructor(left: TargetPlayer, right: TargetPlayer, plan: BesidePlan) {
    this.#left = left;
    this.#right = right;
    this.#plan = plan;
    this.#pairing = new PairedPlay(left, right);
    this.#random = new Random(plan.seed);
    const chosen = { ...left.watched, session: left.session };
    this.#supply = new StepSupply(this.#random, chosen, () => left.performer, plan.refusals);
    this.#chooser = new StepChooser(this.#supply, plan.requests, () => this.#requests.left, OPEN_SITUATIONS);
    this.#begun = { left: left.watched.requests(), right: right.watched.requests() };
  }

  get played(): PlayedBeside {
    return { ...this.#collected.all, requests: this.#requests, endedEarly: this.#endedEarly };
  }

  get #requests(): PlayedBeside['requests'] {
    return {
      left: this.#left.watched.requests() - this.#begun.left,
      right: this.#right.watched.requests() - this.#begun.right,
    };
  }

  get #over(): boolean {
    const { left, right } = this.#requests;
    return this.#plan.signal?.aborted === true || Math.max(left, right) >= this.#plan.requests;
  }

  async run(): Promise<void> {
    while (!this.#over && this.#endedEarly === undefined) {
      this.#supply.focus();
      await this.#story(async (play) => {
        for (let steps = 0; steps < EPISODE; )
          for (const step of this.#chooser.next()) {
            steps += 1;
            if (!(await play(step))) return;
          }
      });
    }
    if (this.#plan.signal?.aborted) this.#endedEarly = STOPPED;
  }

  async #story(write: (play: (step: Step) => Promise<boolean>) => Promise<void>): Promise<void> {
    const { forgetConsent, kind } = this.#supply.target;
    const steps: Step[] = [];
    const played: PlayedStep[] = [];
    let answered = 0;
    const play = async (chosen: Step): Promise<boolean> => {
      if (this.#over) return false;
      if (chosen.do === 'authorize wrongly' && chosen.how === 'deny' && forgetConsent === undefined)
        return true;
      const one = await this.#pairing.play(this.#left.place.shared(chosen), steps.length);
      if (one.step === undefined) return true;
      steps.push(one.step);
      played.push(one);
      const answers = [...one.left, ...one.right];
      answered += answers.filter(isAnswered).length;
      this.#collected.take(one, steps, this.#requests.left);
      // The suite stops sending to a live service that is busy.
      return kind === 'emulator' || answers.every(isAnswered);
    };
    await this.#pairing.begin();
    try {
      await write(play);
    } finally {
      await this.#pairing.end();
    }
    this.#collected.stories.push({
      steps,
      left: played.map(({ left }) => left),
      right: played.map(({ right }) => right),
    });
    if (answered === 0 && !this.#over) this.#endedEarly = UNANSWERED;
  }
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
const OPEN_SITUATIONS: readonly Situation[] = [
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

import { givesOf, needsOf, type SingleStep, type Step } from '../../evaluation/explore/steps.ts';
import { compareAnswers, type Difference, isAnswered, type StoryAnswer } from './answer.ts';
import { StoryHistory } from './asked.ts';

export interface PlayedStep {
  /** Without the parts that one side could not play; undefined if nothing was played. */
  readonly step: Step | undefined;
  readonly left: readonly StoryAnswer[];
  readonly right: readonly StoryAnswer[];
  readonly differences: readonly Difference[];
  readonly pairs: readonly AnswerPair[];
}

interface AnswerPair {
  readonly answered: boolean;
  readonly differences: readonly Difference[];
}

export class PairedPlay {
  readonly #left: StoryPlayer;
  readonly #right: StoryPlayer;
  #history = new StoryHistory();
  /** `project user`: known to be assigned on one side only. */
  readonly #split = new Set<string>();

  constructor(left: StoryPlayer, right: StoryPlayer) {
    this.#left = left;
    this.#right = right;
  }

  async begin(): Promise<void> {
    this.#history = new StoryHistory();
    this.#split.clear();
    await Promise.all([this.#left.begin(), this.#right.begin()]);
  }

  async end(): Promise<void> {
    await Promise.all([this.#left.end(), this.#right.end()]);
  }

  async play(wanted: Step, index: number): Promise<PlayedStep> {
    const step = this.#playable(wanted);
    if (step === undefined) return { step, left: [], right: [], differences: [], pairs: [] };
    const [left, answered] = await Promise.all([this.#left.play(step, index), this.#right.play(step, index)]);
    const parts = step.do === 'at once' ? step.steps : [step];
    const places = matched(parts, left, answered);
    const right = answered.map((answer) => ({ ...answer, part: places.get(answer.part) ?? answer.part }));
    const pairs = left.flatMap((one) => {
      const other = right.find(({ part }) => part === one.part);
      const part = parts[one.part];
      if (other === undefined || part === undefined) return [];
      const differences = compareAnswers(one, other, {
        asked: this.#history.asked(part),
        atOnce: parts.length > 1,
        split: this.#unsettledFor(part, parts),
      });
      return [{ answered: isAnswered(one) && isAnswered(other), differences, part, left: one, right: other }];
    });
    this.#forget(parts, pairs);
    for (const { part, left: one, right: other } of pairs) this.#changed(part, one, other, parts);
    this.#history.note(step);
    return { step, left, right, differences: pairs.flatMap(({ differences }) => differences), pairs };
  }

  #playable(step: Step): Step | undefined {
    const can = (one: SingleStep) =>
      needsOf(one).every((name) => !GIVEN.test(name) || (this.#left.has(name) && this.#right.has(name)));
    if (step.do !== 'at once') return can(step) ? step : undefined;
    const steps = step.steps.filter(can);
    return steps.length > 1 ? { ...step, steps } : steps[0];
  }

  /** Drops values that only one side got or honoured: they would differ again at each use. */
  #forget(
    parts: readonly SingleStep[],
    pairs: readonly (AnswerPair & { readonly part: SingleStep })[],
  ): void {
    const oneSided = parts.flatMap(givesOf).filter((name) => this.#left.has(name) !== this.#right.has(name));
    const spent = pairs.flatMap(({ part, differences }) =>
      differences.some(({ facet }) => facet === 'outcome')
        ? needsOf(part).filter((name) => GIVEN.test(name))
        : [],
    );
    const names = [...oneSided, ...spent];
    if (names.length === 0) return;
    this.#left.forget(names);
    this.#right.forget(names);
  }

  /** Users whom a list of this part may or may not hold: one side alone has them, or a concurrent part changes them. */
  #unsettledFor(part: SingleStep, parts: readonly SingleStep[]): ReadonlySet<string> {
    if (!('project' in part)) return NOBODY;
    const begin = `${part.project} `;
    const users = [...this.#split].flatMap((key) => (key.startsWith(begin) ? [key.slice(begin.length)] : []));
    return new Set([...users, ...changedBeside(part, parts)]);
  }

  #changed(part: SingleStep, left: StoryAnswer, right: StoryAnswer, parts: readonly SingleStep[]): void {
    if (part.do === 'list') {
      const [one, other] = [left.listed, right.listed];
      if (one === undefined || other === undefined) return;
      const beside = changedBeside(part, parts);
      for (const user of new Set([...one, ...other]))
        if (one.includes(user) !== other.includes(user) && !beside.includes(user))
          this.#split.add(`${part.project} ${user}`);
    }
    if (part.do !== 'assign' && part.do !== 'unassign') return;
    const key = `${part.project} ${part.user}`;
    const alike = left.outcome === right.outcome && isAnswered(left);
    // Assigned and unassigned at once: either may come last.
    if (!alike || changedBeside(part, parts).includes(part.user)) this.#split.add(key);
    else if (left.outcome === 'done' && parts.length === 1) this.#split.delete(key);
  }
}

function changedBeside(
  part: SingleStep & { project: string },
  parts: readonly SingleStep[],
): readonly string[] {
  return parts.flatMap((other) =>
    other !== part && 'user' in other && other.project === part.project ? [other.user] : [],
  );
}

const NOBODY: ReadonlySet<string> = new Set();

const GIVEN = /^(code|pair|application) /;

/** Matches concurrent parts that ask for the same by their outcome. Maps the right side's part to the left side's. */
function matched(
  parts: readonly SingleStep[],
  left: readonly StoryAnswer[],
  right: readonly StoryAnswer[],
): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  if (parts.length < 2) return places;
  const same = Map.groupBy(parts.keys(), (part) => requestOf(parts[part]));
  for (const group of same.values()) {
    if (group.length < 2) continue;
    const inOrder = (answers: readonly StoryAnswer[]) =>
      answers
        .filter(({ part }) => group.includes(part))
        .toSorted((a, b) => a.outcome.localeCompare(b.outcome) || a.part - b.part);
    const [ones, others] = [inOrder(left), inOrder(right)];
    if (ones.length !== others.length) continue;
    for (const [at, one] of ones.entries()) {
      const other = others[at];
      if (other !== undefined) places.set(other.part, one.part);
    }
  }
  return places;
}

function requestOf(part: SingleStep | undefined): string {
  const { spelling: _, as: __, ...asked } = { spelling: 0, as: 0, ...part };
  return JSON.stringify(asked);
}

export interface StoryPlayer {
  begin(): Promise<void> | void;
  /** @param index place of the step in the story, from 0 */
  play(step: Step, index: number): Promise<readonly StoryAnswer[]>;
  /** True if a step of the story gave this: `code 1`, `pair 2`. */
  has(name: string): boolean;
  forget(names: readonly string[]): void;
  end(): Promise<void>;
}

export interface RecordedSequence {
  readonly steps: readonly Step[];
  readonly answers: readonly (readonly StoryAnswer[])[];
}

/** Returns a side that answers as it did when the steps were recorded. */
export function recordPlayer({ steps, answers: all }: RecordedSequence): StoryPlayer {
  const given = new Set<string>();
  return {
    begin: () => given.clear(),
    play: async (step, index) => {
      const recorded = steps[index];
      if (recorded === undefined) return [];
      const sent: readonly Step[] = recorded.do === 'at once' ? recorded.steps : [recorded];
      // The other side may lack the abilities for some parts.
      const parts: readonly (Step | undefined)[] = step.do === 'at once' ? step.steps : [step];
      const answers = (all[index] ?? []).flatMap((answer) => {
        const part = parts.indexOf(sent[answer.part]);
        return part < 0 ? [] : [{ ...answer, part }];
      });
      for (const { part, outcome } of answers)
        if (['tokens', 'code', 'done'].includes(outcome))
          for (const name of givesOf(parts[part] ?? step)) given.add(name);
      return answers;
    },
    has: (name) => given.has(name),
    forget: (names) => {
      for (const name of names) given.delete(name);
    },
    end: async () => undefined,
  };
}

import { givesOf, type Step } from '../explore/steps.ts';
import type { StoryAnswer } from './answer.ts';

export interface StoryPlayer {
  begin(): Promise<void> | void;
  /** @param index place of the step in the story, from 0 */
  play(step: Step, index: number): Promise<readonly StoryAnswer[]>;
  /** True if a step of the story gave this: `code 1`, `pair 2`. */
  has(name: string): boolean;
  /** Exchanges names if answers to concurrent requests came in another order than on the other side. */
  rename(moves: ReadonlyMap<string, string>): void;
  forget(names: readonly string[]): void;
  end(): Promise<void>;
}

export interface RecordedSequence {
  readonly steps: readonly Step[];
  readonly answers: readonly (readonly StoryAnswer[])[];
}

export class RecordPlayer implements StoryPlayer {
  readonly #story: RecordedSequence;
  #given = new Set<string>();

  constructor(story: RecordedSequence) {
    this.#story = story;
  }

  begin(): void {
    this.#given = new Set();
  }

  async play(step: Step, index: number): Promise<readonly StoryAnswer[]> {
    const recorded = this.#story.steps[index];
    if (recorded === undefined) return [];
    const all: readonly Step[] = recorded.do === 'at once' ? recorded.steps : [recorded];
    // The other side may lack the abilities for some parts.
    const parts: readonly (Step | undefined)[] = step.do === 'at once' ? step.steps : [step];
    const answers = (this.#story.answers[index] ?? []).flatMap((answer) => {
      const part = parts.indexOf(all[answer.part]);
      return part < 0 ? [] : [{ ...answer, part }];
    });
    for (const { part, outcome } of answers)
      if (['tokens', 'code', 'done'].includes(outcome))
        for (const name of givesOf(parts[part] ?? step)) this.#given.add(name);
    return answers;
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  rename(moves: ReadonlyMap<string, string>): void {
    const moved = [...moves].filter(([from]) => this.#given.has(from));
    for (const [from] of moved) this.#given.delete(from);
    for (const [, to] of moved) this.#given.add(to);
  }

  forget(names: readonly string[]): void {
    for (const name of names) this.#given.delete(name);
  }

  async end(): Promise<void> {}
}

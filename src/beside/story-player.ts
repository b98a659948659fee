import type { Step } from '../explore/steps.ts';
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

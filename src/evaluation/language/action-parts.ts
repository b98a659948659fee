import type { Exchange } from '../../http/exchange.ts';
import type { Answered } from '../../service/flow/answers.ts';
import type { ServiceClient } from '../../service/flow/service-client.ts';
import type { Given } from './given.ts';
import type { NoteAnswer } from './note-answer.ts';
import { NotRun, notAnswered } from './outcome.ts';

export interface ActionParts {
  readonly serviceClient: ServiceClient;
  readonly given: Given;
  readonly refusals: Refusals;
  readonly noteAnswer: NoteAnswer;
}

export function requireAnswer<T extends Exchange>(purpose: string, answer: T): Answered<T> {
  const { response, failure } = answer;
  if (response === undefined) throw notAnswered(`${purpose}: ${failure?.message ?? 'no answer'}`, failure);
  if (response.status === 429) throw new NotRun(`${purpose}: the target answered 429, too many requests`);
  return { ...answer, response };
}

/** Tracks refusals: each counts only beside its accepted twin, and a 5xx only after the twin is accepted right after it. */
export class Refusals {
  #refused = 0;
  #twins = 0;
  #unexplained: string | undefined;

  refused(purpose: string, status: number): void {
    this.#refused += 1;
    if (status >= 500) this.#unexplained = `${purpose}: status ${status}, and no accepted twin after it`;
  }

  twinAccepted(): void {
    this.#twins += 1;
    this.#unexplained = undefined;
  }

  get unexplained(): string | undefined {
    return this.#unexplained;
  }

  /** True if the check counted a refusal without showing that the same request is otherwise accepted. */
  get withoutTwin(): boolean {
    return this.#refused > 0 && this.#twins === 0;
  }
}

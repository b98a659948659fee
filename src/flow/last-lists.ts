import type { Transport } from '../exchange/exchange.ts';
import type { ResourceAnswer } from './answers.ts';

/**
 * Caches each project's list during one check, until a request may change it. The next check reads again, to see
 * changes by other clients. One per session.
 */
export class LastLists {
  readonly #lists = new Map<string, ResourceAnswer>();
  #changing = 0;

  of(project: string): ResourceAnswer | undefined {
    return this.#lists.get(project);
  }

  /** Caches a list that was read in the documented form with a token that may list. */
  keep(project: string, answer: ResourceAnswer): void {
    if (this.#changing === 0) this.#lists.set(project, answer);
  }

  /** Clears the cache: a new check, a moved clock or a refresh may change the lists. */
  forget(): void {
    this.#lists.clear();
  }

  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (request.method === 'GET' || !request.url.includes('/projects/')) return inner(request, signal);
      this.forget();
      this.#changing += 1;
      try {
        return await inner(request, signal);
      } finally {
        this.#changing -= 1;
      }
    };
  }
}

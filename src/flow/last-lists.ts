import type { Transport } from '../exchange/exchange.ts';
import type { ResourceAnswer } from './conversation.ts';

/**
 * The lists of the projects as a check has last seen them: read again only where something was sent since that may change one. They end
 * with the check, for the first list of the next one shows what another client did in between. One per session.
 */
export class LastLists {
  readonly #lists = new Map<string, ResourceAnswer>();
  #changing = 0;

  /** The last list of a project, where nothing was sent since that may change it. */
  of(project: string): ResourceAnswer | undefined {
    return this.#lists.get(project);
  }

  /** Keeps a list that was read with a token that may list, and asked for as the document has it. */
  keep(project: string, answer: ResourceAnswer): void {
    if (this.#changing === 0) this.#lists.set(project, answer);
  }

  /** Forgets all: another check begins, time has passed, or a refresh may have changed them. */
  forget(): void {
    this.#lists.clear();
  }

  /** The transport, watched for what may change a list. */
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

import type { ExchangeFinding } from '../../report/facts.ts';
import { OTHERS_LOST } from '../../report/facts.ts';
import type { AssignmentChange, WrongUser } from './projects.ts';

/** So many own changes in a row must lose another person's user, and so many lists without a change none. */
const IN_A_ROW = 3;

type Seen = Pick<ExchangeFinding, 'during' | 'exchanges'>;

/**
 * Watches the users of other people on a shared target. They come and go by themselves, so a loss counts only if each of three own
 * changes of one kind shows one, and nothing else ever moves them.
 */
export class OtherUsers {
  readonly #losses = { assign: 0, unassign: 0 };
  #unchanged = 0;
  #moveThemselves = false;
  #lost: (Seen & { readonly operation: 'assign' | 'unassign' }) | undefined;

  /**
   * Takes one list.
   * @param since changes since the list before
   * @param different other people's users who came or went since then
   * @param areListed true if the list has users of other people
   */
  listed(
    since: readonly AssignmentChange[],
    different: readonly WrongUser[],
    areListed: boolean,
    seen: Seen,
  ): void {
    const change = since.findLast(({ effect, blame }) => effect === 'done' && blame === 'lawful')?.operation;
    const lost = different.some(({ listed }) => !listed);
    const own = change === 'assign' || change === 'unassign' ? change : undefined;
    if (different.some(({ listed }) => listed) || (lost && own === undefined)) this.#moveThemselves = true;
    if (own === undefined) {
      if (areListed) this.#unchanged += 1;
    } else if (lost) {
      this.#losses[own] += 1;
      if (this.#losses[own] <= IN_A_ROW) this.#lost = { ...seen, operation: own };
    } else if (areListed && this.#losses[own] < IN_A_ROW) this.#losses[own] = 0;
  }

  /** Returns the finding of the run: certain, or one notice; undefined if no own change was seen to lose a user. */
  get finding(): ExchangeFinding | undefined {
    if (this.#lost === undefined) return undefined;
    const { operation, ...seen } = this.#lost;
    const isCertain =
      this.#losses[operation] >= IN_A_ROW && this.#unchanged >= IN_A_ROW && !this.#moveThemselves;
    return {
      id: `${operation}.leaves-others`,
      kind: OTHERS_LOST,
      expected: `all other users to stay assigned after ${operation}`,
      got: isCertain
        ? `one of them no longer listed after each of ${IN_A_ROW} changes`
        : 'one of them no longer listed',
      uncertain: !isCertain,
      ...seen,
    };
  }
}

import { hash } from 'node:crypto';
import type { WrongReader } from './blame.ts';
import type { Family } from './model.ts';

/** Who reads a list. */
export interface Reader {
  readonly token: string;
  /** What the token came of; undefined where that is not known. */
  readonly family: Family | undefined;
}

/** How many different lists of a project are remembered. */
const REMEMBERED = 60;

/** Seconds within which a list that was right and is wrong has been changed by the reading, most likely, and not by time. */
const A_MOMENT = 5;

/** What readers were shown of each project: whether a wrong list is an old one, and whose. */
export class Shown {
  /** By project and list: who was shown it, by family where that is known, else by token. */
  readonly #lists = new Map<string, Map<string, Set<string | Family>>>();
  /** By project: when each token was last shown the right list since a change. */
  readonly #right = new Map<string, Map<string, number>>();

  /** What a reader's list tells before it is kept. */
  shows(project: string, { token, family }: Reader, ids: ReadonlySet<string>, at: number): WrongReader {
    const readers = this.#lists.get(project)?.get(keyOf(ids));
    const rightAt = this.#right.get(project)?.get(token);
    return {
      shownBefore: readers !== undefined,
      wasShownThis: readers?.has(family ?? token) === true,
      sawItRight: rightAt !== undefined && at - rightAt < A_MOMENT,
    };
  }

  /** Keeps what was shown. */
  keep(project: string, { token, family }: Reader, ids: ReadonlySet<string>): void {
    const lists = this.#lists.get(project) ?? new Map<string, Set<string | Family>>();
    this.#lists.set(project, lists);
    const key = keyOf(ids);
    const readers = lists.get(key) ?? new Set();
    readers.add(family ?? token);
    lists.set(key, readers);
    const [oldest] = lists.keys();
    if (lists.size > REMEMBERED && oldest !== undefined) lists.delete(oldest);
  }

  /** A reader was shown the right list. */
  right(project: string, { token }: Reader, at: number): void {
    const right = this.#right.get(project) ?? new Map<string, number>();
    right.set(token, at);
    this.#right.set(project, right);
  }

  /** Something may have been changed in a project. */
  changed(project: string): void {
    this.#right.delete(project);
  }
}

const KEYS = new WeakMap<ReadonlySet<string>, string>();

/** A digest: 60 lists of a hundred thousand users would fill the memory. */
function keyOf(ids: ReadonlySet<string>): string {
  const known = KEYS.get(ids) ?? hash('sha256', [...ids].sort().join(' '));
  KEYS.set(ids, known);
  return known;
}

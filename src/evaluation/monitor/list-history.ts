import { hash } from 'node:crypto';
import type { WrongReader } from './blame.ts';
import type { Family } from './token-model.ts';

/** A token that reads lists, and the grant that it comes from. */
export interface TokenReader {
  readonly token: string;
  readonly family: Family | undefined;
}

const REMEMBERED = 60;

/** Seconds within which a list that turns wrong was most likely changed by the reading, not by time. */
const A_MOMENT = 5;

/** Records the lists that readers got, to recognise outdated lists and their readers. */
export class ListHistory {
  /** Readers by project and list; a reader is its token family if known, else its token. */
  readonly #lists = new Map<string, Map<string, Set<string | Family>>>();
  readonly #right = new Map<string, Map<string, number>>();
  readonly #lastRight = new Map<string, number>();

  shows(project: string, { token, family }: TokenReader, ids: ReadonlySet<string>, at: number): WrongReader {
    const readers = this.#lists.get(project)?.get(keyOf(ids));
    const rightAt = this.#right.get(project)?.get(token);
    return {
      shownBefore: readers !== undefined,
      wasShownThis: readers?.has(family ?? token) === true,
      sawItRight: rightAt !== undefined && at - rightAt < A_MOMENT,
    };
  }

  keep(project: string, { token, family }: TokenReader, ids: ReadonlySet<string>): void {
    const lists = this.#lists.get(project) ?? new Map<string, Set<string | Family>>();
    this.#lists.set(project, lists);
    const key = keyOf(ids);
    const readers = lists.get(key) ?? new Set();
    readers.add(family ?? token);
    lists.set(key, readers);
    const [oldest] = lists.keys();
    if (lists.size > REMEMBERED && oldest !== undefined) lists.delete(oldest);
  }

  right(project: string, { token }: TokenReader, at: number): void {
    const right = this.#right.get(project) ?? new Map<string, number>();
    right.set(token, at);
    this.#right.set(project, right);
    this.#lastRight.set(project, at);
  }

  /** Returns the time of a project's last right list, in seconds on the target's clock; undefined before the first. */
  lastRight(project: string): number | undefined {
    return this.#lastRight.get(project);
  }

  changed(project: string): void {
    this.#right.delete(project);
  }
}

const KEYS = new WeakMap<ReadonlySet<string>, string>();

/** Returns a digest: 60 lists of a hundred thousand users would fill the memory. */
function keyOf(ids: ReadonlySet<string>): string {
  const known = KEYS.get(ids) ?? hash('sha256', [...ids].sort().join(' '));
  KEYS.set(ids, known);
  return known;
}

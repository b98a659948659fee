import type { Call } from '../../../src/client-checks/drive/client-driver.ts';
import type { Is } from './variations.ts';
import { type Answer, Failed } from './wire.ts';

/** The lists that one process keeps, and the pages that it shows in place of a new one. */
export class Lists {
  readonly #is: Is;
  /** The first user who listed a project. */
  readonly #firstUsers = new Map<string, string>();
  /** By user and project, in milliseconds. */
  readonly #freshUntil = new Map<string, number>();
  #first = '';
  #last = '';
  /** Shown at the next call, if that is a list. */
  #next: string | undefined;
  #lastChanged = '';

  constructor(is: Is) {
    this.#is = is;
  }

  /** Returns the page of a call that asks the service for nothing; undefined if the service is asked. */
  instead(user: string, call: Call, nowMs: number): { readonly page?: string } | undefined {
    if (call.operation !== 'list') {
      this.#next = undefined;
      const isSecond = this.#lastChanged === call.user;
      this.#lastChanged = call.user;
      return isSecond && this.#is('second-change-dropped') ? { page: 'done' } : undefined;
    }
    const isOfAnother = (this.#firstUsers.get(call.project) ?? user) !== user;
    if (isOfAnother && this.#is('list-cache-shared')) return {};
    const isFresh = nowMs < (this.#freshUntil.get(`${user} ${call.project}`) ?? 0);
    if (isFresh && this.#is('lists-kept-for-a-minute')) return {};
    const page = this.#next;
    this.#next = undefined;
    return page === undefined ? undefined : { page };
  }

  /** Notes the service's answer. */
  note(user: string, { operation, project }: Call, { status }: Answer, nowMs: number): void {
    if (operation !== 'list') {
      this.#freshUntil.clear();
      if (status >= 400 && operation === 'unassign' && this.#is('list-changed-before-the-answer'))
        this.#next = this.#first;
    } else if (status < 400) {
      this.#firstUsers.set(project, this.#firstUsers.get(project) ?? user);
      this.#freshUntil.set(`${user} ${project}`, nowMs + 60_000);
    }
  }

  /** Notes what the user sees. */
  show({ operation, user }: Call, { body }: Answer): void {
    if (operation === 'list') {
      this.#last = body;
      this.#first ||= body;
    } else if (this.#is('old-list-after-a-change')) this.#next = this.#last;
    else if (this.#is('list-kept-and-changed'))
      this.#next = `${this.#last}, and since then ${operation} ${user}`;
  }
}

/** @throws Failed if the answer is no list that the application can read */
export function readList(is: Is, { body }: Answer): void {
  if (is('unknown-fields-of-users-refused') && body.includes('"joined"'))
    throw new Failed('an unknown field', 500);
  if (!body.startsWith('[') && !is('any-list-called-good')) throw new Failed('no list', 500);
  if (is('long-list-is-an-error') && body.length > 65_536) throw new Failed('too long', 500);
  if (is('empty-list-is-an-error') && body.length < 10) throw new Failed('nothing there', 500);
}

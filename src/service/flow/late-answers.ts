import { assignedUsersPath } from '../../document/assigned-users-path.ts';
import { isPage, reportsError } from '../../http/answer-body.ts';
import {
  type Exchange,
  headerOf,
  isListRequest,
  isServerError,
  isSuccess,
  isTemporary,
  isTokenRequest,
  type Transport,
  TransportFailure,
  unlessAborted,
  type WireRequest,
  type WireResponse,
} from '../../http/exchange.ts';
import { orError, percentDecoded } from '../../http/or-else.ts';
import type { Target } from '../target.ts';
import { tokensIn } from './answers.ts';
import { idsAt, namedIn, ownUsersOf } from './assigned-list.ts';

/** Milliseconds within which a store may still show a change late. */
export const SOON_MS = 2_000;

/** Milliseconds between two looks; the first five are {@link SOON_MS}. */
const PAUSES_MS = [100, 200, 400, 800, 500, 1_000, 2_000];

/** Changes that a late list may lack. It is right about whatever was changed before them. */
const LAST = 3;

const LONGEST_WAIT_MS = PAUSES_MS.reduce((sum, ms) => sum + ms, 0);

/** An answer that became right without a further change. */
export interface LateAnswer {
  readonly of: 'list' | 'exchange' | 'refresh';
  /** Milliseconds from the change, or from the token response, until the right answer. */
  readonly delayMs: number;
  /** Number of late answers in the run. */
  readonly count: number;
  /** The first late answer, and the right one. */
  readonly exchanges: readonly Exchange[];
}

/** The last change of a user, which the service acknowledged. */
interface Change {
  readonly at: number;
  readonly assigned: boolean;
}

interface NewToken {
  readonly at: number;
  readonly of: 'exchange' | 'refresh';
  /** A request with one of these may end the token. */
  readonly ending: readonly string[];
}

/** Changes of one user in one project that were under way together. */
interface Meeting {
  /** The last change before them. */
  readonly before: Change | undefined;
  underWay: number;
  readonly methods: Set<string>;
  isDone: boolean;
  isRefused: boolean;
}

/**
 * Asks again where time explains an answer: a list that does not show an own change of a moment ago yet, and a new token that is
 * refused at its first use. So a late store is one finding, and no other requirement is blamed for it. Live targets only.
 */
export class LateAnswers {
  readonly #target: Target;
  readonly #own: readonly string[];
  /** By project and user. */
  readonly #changes = new Map<string, Change>();
  readonly #readings = new Set<Reading>();
  readonly #meeting = new Map<string, Meeting>();
  /** New access tokens that no answer has accepted yet. */
  readonly #tokens = new Map<string, NewToken>();
  readonly #issued = new Set<string>();
  readonly #found = new Map<LateAnswer['of'], LateAnswer>();
  /** The shortest delay of a late answer, in milliseconds: below {@link SOON_MS} the first look comes then. */
  readonly #shortest = new Map<LateAnswer['of'], number>();
  /** Milliseconds to wait at most; less after each wait in vain. */
  readonly #patience = { list: LONGEST_WAIT_MS, token: LONGEST_WAIT_MS };

  constructor(target: Target) {
    this.#target = target;
    this.#own = ownUsersOf(target);
  }

  get found(): readonly LateAnswer[] {
    return [...this.#found.values()];
  }

  /** Expects nothing of a user whom the next request may change in an undocumented form. */
  forget(project: string, user: string): void {
    this.#changes.delete(keyOf(project, user));
  }

  guard(inner: Transport): Transport {
    if (!this.#target.isLive) return inner;
    return async (request, signal) => {
      if (isTokenRequest(request)) return this.#tokenRequest(request, () => inner(request, signal));
      const place = this.#placeIn(request);
      if (place === undefined) return inner(request, signal);
      const send = () => this.#settled(request, place, () => inner(request, signal), signal);
      return place.user === undefined ? send() : this.#change(request, place.key, send);
    };
  }

  async #tokenRequest(request: WireRequest, send: () => ReturnType<Transport>): ReturnType<Transport> {
    const values = [...new URLSearchParams(request.body).values()];
    for (const [token, { ending }] of this.#tokens)
      if (ending.some((one) => values.includes(one))) this.#tokens.delete(token);
    const response = await send();
    const { accessToken, refreshToken } = tokensIn({ request, response });
    if (accessToken === undefined || !isSuccess(response)) return response;
    const of = values.includes('refresh_token') ? 'refresh' : 'exchange';
    const code = new URLSearchParams(request.body).get('code');
    const ending = [refreshToken, code].filter((one) => one !== undefined && one !== null);
    this.#issued.add(accessToken);
    this.#tokens.set(accessToken, { at: performance.now(), of, ending });
    return response;
  }

  /** Returns the answer to a request for a list or a change, for which a new token, or a change, may need a moment. */
  async #settled(
    request: WireRequest,
    place: AssignmentKey,
    send: () => ReturnType<Transport>,
    signal: AbortSignal | undefined,
  ): Promise<WireResponse> {
    const sentAt = performance.now();
    const reading = this.#begin(request, place.project);
    const first = await send().finally(() => this.#readings.delete(reading));
    const token = this.#tokenIn(request);
    const newToken = token === undefined ? undefined : this.#tokens.get(token);
    const isRefused = ({ status }: WireResponse) => status === 401;
    const response =
      newToken === undefined
        ? first
        : await this.#until(request, first, send, isRefused, { kind: 'token', signal, ...newToken });
    if (token !== undefined && !isRefused(response)) this.#tokens.delete(token);
    if (!isListRequest(request)) return response;
    const expected = this.#changedBefore(place.project, sentAt);
    const [latest] = expected;
    if (latest === undefined) return response;
    const isLate = (list: WireResponse) => {
      if (!isSuccess(list) || isPage(list)) return false;
      const shown = this.#ownIn(list);
      // No delay gives a list of another project: that is what reading both at once does.
      const isOther = [...reading.met].some((other) => this.#isAs(shown, other));
      if (isOther && !this.#isAs(shown, place.project)) return false;
      if (!this.#isRightBut(shown, place.project, expected)) return false;
      // A further change makes the list the answer to another question.
      return expected.some(
        ({ key, user, change }) => this.#changes.get(key) === change && shown.has(user) !== change.assigned,
      );
    };
    const { at } = latest.change;
    return this.#until(request, response, send, isLate, { kind: 'list', of: 'list', at, signal });
  }

  /** True if a list is right about each own user whom none of the last changes concerned. */
  #isRightBut(
    shown: ReadonlySet<string>,
    project: string,
    changed: readonly { readonly user: string }[],
  ): boolean {
    return this.#own.every((user) => {
      const known = this.#changes.get(keyOf(project, user));
      return (
        known === undefined || changed.some((one) => one.user === user) || shown.has(user) === known.assigned
      );
    });
  }

  #begin(request: WireRequest, project: string): Reading {
    const reading: Reading = { project, met: new Set() };
    if (!isListRequest(request)) return reading;
    for (const other of this.#readings) {
      other.met.add(project);
      reading.met.add(other.project);
    }
    this.#readings.add(reading);
    return reading;
  }

  /** True if a list shows own users, and exactly those who are assigned to a project. */
  #isAs(shown: ReadonlySet<string>, project: string): boolean {
    const isAssigned = (user: string) => this.#changes.get(keyOf(project, user))?.assigned ?? false;
    return shown.size > 0 && this.#own.every((user) => shown.has(user) === isAssigned(user));
  }

  /** Of requests that meet, the last one to end tells the state, if all of them want the same. Refused ones change nothing. */
  async #change(request: WireRequest, key: string, send: () => ReturnType<Transport>): ReturnType<Transport> {
    const meeting: Meeting = this.#meeting.get(key) ?? {
      before: this.#changes.get(key),
      underWay: 0,
      methods: new Set(),
      isDone: false,
      isRefused: true,
    };
    this.#meeting.set(key, meeting);
    meeting.underWay += 1;
    meeting.methods.add(request.method);
    this.#changes.delete(key);
    let isRefused = false;
    try {
      const response = await send();
      isRefused = response.status >= 400 && response.status < 500;
      meeting.isDone ||=
        this.#tokenIn(request) !== undefined && isSuccess(response) && !reportsError(response);
      return response;
    } finally {
      meeting.underWay -= 1;
      meeting.isRefused &&= isRefused;
      if (meeting.underWay === 0) {
        this.#meeting.delete(key);
        if (meeting.isRefused && meeting.before) this.#changes.set(key, meeting.before);
        if (meeting.isDone && meeting.methods.size === 1)
          this.#changes.set(key, { at: performance.now(), assigned: request.method === 'PUT' });
      }
    }
  }

  /** Asks again while an answer is late. Returns the right one, or the first if none comes. */
  async #until(
    request: WireRequest,
    first: WireResponse,
    again: () => ReturnType<Transport>,
    isLate: (response: WireResponse) => boolean,
    { kind, of, at, signal }: Asking,
  ): Promise<WireResponse> {
    if (!isLate(first)) return first;
    const startedAt = Date.now();
    const elapsed = performance.now() - at;
    let waited = 0;
    const shortest = this.#shortest.get(of) ?? LONGEST_WAIT_MS;
    const early = shortest < SOON_MS && elapsed < shortest ? [shortest - elapsed] : [];
    for (const ms of [...early, ...PAUSES_MS]) {
      if (waited + ms > this.#patience[kind]) break;
      await unlessAborted(this.#target.pause(ms), signal);
      waited += ms;
      const next = await orError(again(), TransportFailure);
      // A request that gets no answer tells nothing: the one before it counts.
      if (next instanceof TransportFailure) return first;
      if (isLate(next) || isTemporary(next.status) || isServerError(next.status)) continue;
      // A list that had lost other people's users, too, was never right.
      if (of === 'list' && !this.#hasSameOthers(first, next)) return first;
      const exchange = (response: WireResponse): Exchange => {
        const purpose = of === 'list' ? 'list after a change' : `first use of the token of the ${of}`;
        return { purpose, request, response, startedAt, durationMs: waited };
      };
      const known = this.#found.get(of);
      this.#shortest.set(of, Math.min(shortest, elapsed + waited));
      this.#found.set(of, {
        of,
        delayMs: Math.max(known?.delayMs ?? 0, Math.round(elapsed + waited)),
        count: (known?.count ?? 0) + 1,
        exchanges: known?.exchanges ?? [exchange(first), exchange(next)],
      });
      return next;
    }
    // A service that never shows a change is not waited for again and again.
    this.#patience[kind] = waited > SOON_MS || this.#found.has(of) ? SOON_MS : 0;
    return first;
  }

  /** Returns the own users of a project whom a change concerned a moment before a list was sent, the latest first. */
  #changedBefore(project: string, sentAt: number) {
    return this.#own
      .flatMap((user) => {
        const key = keyOf(project, user);
        const change = this.#changes.get(key);
        const isRecent = change !== undefined && change.at <= sentAt && sentAt - change.at < LONGEST_WAIT_MS;
        return isRecent ? [{ key, user, change }] : [];
      })
      .toSorted((a, b) => b.change.at - a.change.at)
      .slice(0, LAST);
  }

  #hasSameOthers(first: WireResponse, next: WireResponse): boolean {
    const others = (list: WireResponse) =>
      new Set(this.#idsIn(list)?.filter((id) => !this.#own.includes(id)));
    const [before, after] = [others(first), others(next)];
    return [...after].every((id) => before.has(id));
  }

  #idsIn(response: WireResponse): readonly string[] | undefined {
    const { readsList, userIdPointer } = this.#target;
    return (
      readsList?.(response) ?? (userIdPointer === undefined ? undefined : idsAt(response, userIdPointer))
    );
  }

  /** Returns the own users in a list. */
  #ownIn(response: WireResponse): ReadonlySet<string> {
    const ids = this.#idsIn(response);
    return new Set(
      ids === undefined ? namedIn(response, this.#own) : this.#own.filter((user) => ids.includes(user)),
    );
  }

  #placeIn({ url, method }: WireRequest): AssignmentKey | undefined {
    const { baseUrl, projects, lock } = this.#target;
    if (!['GET', 'PUT', 'DELETE'].includes(method) || !url.startsWith(`${baseUrl}/`)) return undefined;
    const path = percentDecoded(new URL(url).pathname).replace(/\/$/, '');
    const { project, user } = assignedUsersPath(path) ?? {};
    if (project === undefined || ![...projects, lock?.project].includes(project)) return undefined;
    if (user !== undefined && !this.#own.includes(user)) return undefined;
    return { project, user, key: keyOf(project, user ?? '') };
  }

  /** Returns the issued token that a request presents, in whatever place. */
  #tokenIn(request: WireRequest): string | undefined {
    const sent = `${headerOf(request, 'authorization') ?? ''} ${request.url} ${request.body ?? ''}`;
    return sent.split(/[\s=&?]+/).find((part) => this.#issued.has(part));
  }
}

interface AssignmentKey {
  readonly project: string;
  readonly user: string | undefined;
  readonly key: string;
}

/** A list that is being read, and the projects whose lists are read at the same time. */
interface Reading {
  readonly project: string;
  readonly met: Set<string>;
}

interface Asking {
  readonly kind: 'list' | 'token';
  readonly of: LateAnswer['of'];
  readonly at: number;
  readonly signal: AbortSignal | undefined;
}

function keyOf(project: string, user: string): string {
  return `${project} ${user}`;
}

import { isSuccess, type Transport, type WireRequest, type WireResponse } from '../exchange/exchange.ts';
import type { Target } from '../targets/target.ts';
import { type ListReader, setOf } from './assigned-list.ts';
import { atOnce } from './at-once.ts';
import { encodeId } from './requests.ts';
import { type ListPair, sameIds, whoChanges } from './who-changes.ts';

/** What a project's list was last seen to hold. */
interface Sight {
  /**
   * Whether something was sent since that changes no project, and may where the service is wrong: a refresh, or a list that is to be
   * refused. That is for checks to judge.
   */
  provoked: boolean;
  /** Whether nothing was sent since that could change it: then it must stay as it is, unless it was an old one. */
  untouched: boolean;
  /** Whether it showed what the suite had done: it was no old one. */
  readonly right: boolean;
  ids: ReadonlySet<string>;
  /** What showed it. */
  request: WireRequest;
}

/**
 * How often a list is asked for again, twice at once each time: of one that lacks a user once in five times, two that were asked for
 * at once differ in 99 of 100 runs.
 */
const PAIRS = 12;

/** Two lists of one project that differ although nothing was sent in between that changes it. */
interface Difference {
  readonly project: string;
  /** In words. */
  readonly what: string;
  readonly before: Sight;
}

/** What another client was seen to do. */
interface Foreign {
  /** In one sentence. */
  readonly what: string;
  /** Whether it was done to the suite's own users, which other clients leave alone: it is another run of the suite. */
  readonly byAnotherRun: boolean;
}

/** A list that differs from one time to the next by itself: proven, for it was one, then another, and then the first again. */
export interface UnsteadyList {
  readonly project: string;
  /** What differed, in words. */
  readonly what: string;
  readonly request: WireRequest;
  /** The one that differed, and the one after it that did not. */
  readonly lists: readonly [WireResponse, WireResponse];
}

/** All users but the suite's own in a project, at the beginning of the watch and as last seen. */
interface Others {
  readonly first: ReadonlySet<string>;
  last: ReadonlySet<string>;
}

/**
 * Sees from the suite's own requests whether another client assigns or unassigns users in its projects: two lists differ
 * although the suite has sent nothing in between that changes one. Then it asks for the same list again, a few times: what another
 * client did stays, and a service whose lists differ by themselves shows the first one again.
 *
 * A list that follows a change may be an old one; it counts only once it shows what the suite has done. A list that is asked for
 * without a token, or with one that need not be honoured, does not count: what it shows is for checks to judge.
 */
export class ProjectWatch {
  readonly #projects: ReadonlyMap<string, string>;
  readonly #own: readonly string[];
  readonly #target: Pick<Target, 'traffic'>;
  readonly #sights = new Map<string, Sight>();
  readonly #others = new Map<string, Others>();
  /** Lists from before it was known where ids stand. */
  readonly #unread: (readonly [project: string, response: WireResponse])[] = [];
  /** Whom the suite has assigned, as far as it was told so; `undefined`: not known. */
  readonly #assigned = new Map<string, boolean | undefined>();
  #read: ListReader | undefined;
  #mayList: ReadonlySet<string> = new Set();
  #changes = 0;
  #changing = 0;
  #foreign: Foreign | undefined;
  #unsteady: UnsteadyList | undefined;

  constructor(target: Pick<Target, 'baseUrl' | 'projects' | 'users' | 'traffic'>) {
    const { baseUrl, projects, users } = target;
    this.#target = target;
    const pathOf = (project: string) => `/projects/${encodeId(project)}/assigned_users`;
    const base = new URL(baseUrl).href.replace(/\/$/, '');
    this.#projects = new Map(
      projects.flatMap((project) => [
        [`${base}/v2${pathOf(project)}`, project] as const,
        [`${base}${pathOf(project)}`, project] as const,
      ]),
    );
    this.#own = users;
  }

  /**
   * Begins to watch. Until then the suite finds out how to talk to the service, and whether its users are free; whom it saw
   * assigned meanwhile counts as the beginning.
   *
   * @param read reads a list; until then nothing can be seen
   * @param mayList access tokens that may list; grows as the suite obtains them
   */
  begin(read: ListReader, mayList: ReadonlySet<string>): void {
    this.#read = read;
    this.#mayList = mayList;
    for (const [project, response] of this.#unread.splice(0)) {
      const ids = this.#idsIn(response);
      if (ids !== undefined) this.#keepOthers(project, ids);
    }
  }

  /** What another client was seen to do, in one sentence; undefined while nothing was seen. */
  get foreign(): string | undefined {
    return this.#foreign?.what;
  }

  /** Whether it was another run of the suite: it is done to the suite's own users, which other clients leave alone. */
  get anotherRun(): boolean {
    return this.#foreign?.byAnotherRun ?? false;
  }

  /** Two lists of the service that differ by themselves, if any were seen. */
  get unsteady(): UnsteadyList | undefined {
    return this.#unsteady;
  }

  /** How many requests that may change a project were sent so far. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * In which projects not every user who is not the suite's own is still, or was already, assigned as at the beginning. Whether
   * the service or another client has done that cannot be told from lists around the suite's own changes.
   */
  get othersChanged(): readonly string[] {
    return [...this.#others].flatMap(([project, { first, last }]) => {
      const what = difference(first, last);
      return what === undefined ? [] : [`project ${project}: of the others ${what}`];
    });
  }

  /** The transport, watched. */
  watch(inner: Transport): Transport {
    return async (request, signal) => {
      const send = () => inner(request, signal);
      if (request.method === 'PUT' || request.method === 'DELETE') return this.#change(send, request);
      if (request.method === 'POST' && /\brefresh_token\b/.test(request.body ?? '')) this.#provoke();
      const project = request.method === 'GET' ? this.#projectOf(request) : undefined;
      if (project === undefined) {
        if (request.url.includes('/projects/')) this.#provoke();
        return send();
      }
      const before = this.#changes;
      const response = await send();
      // A list that was on its way beside a change may show either side of it.
      if (this.#changing > 0 || this.#changes !== before) return response;
      if (this.#read !== undefined && !carriesOneOf(this.#mayList, request)) {
        this.#provoke();
        return response;
      }
      const differs = this.#see(project, response, request);
      if (differs !== undefined)
        await this.#tellApart(differs, request, response, (one) => inner(one, signal));
      return response;
    };
  }

  async #change(send: () => Promise<WireResponse>, request: WireRequest): Promise<WireResponse> {
    this.#touch();
    this.#changing += 1;
    const key = request.url.split('?')[0] ?? '';
    try {
      const response = await send();
      this.#assigned.set(key, isSuccess(response) ? request.method === 'PUT' : undefined);
      return response;
    } catch (error) {
      this.#assigned.set(key, undefined);
      throw error;
    } finally {
      this.#changing -= 1;
      this.#touch();
    }
  }

  /** Whatever changes one project may change another where the service is wrong: that is for checks to judge. */
  #touch(): void {
    this.#changes += 1;
    for (const sight of this.#sights.values()) sight.untouched = false;
  }

  #provoke(): void {
    for (const sight of this.#sights.values()) sight.provoked = true;
  }

  /** Asks for a list again, twice at once each time: what another client does shows in both, and stays for a while. */
  async #tellApart(
    { project, what, before }: Difference,
    request: WireRequest,
    response: WireResponse,
    inner: Transport,
  ): Promise<void> {
    const changes = this.#changes;
    if (spelling(request) !== spelling(before.request)) {
      const ids = this.#idsIn(await inner(before.request));
      if (this.#changes !== changes) return;
      if (ids !== undefined && sameIds(before.ids, ids)) {
        // The list depends on how it is asked for, which is for checks to judge. No client has changed it.
        this.#sights.set(project, before);
        return;
      }
    }
    const answers: WireResponse[] = [];
    const pairs: ListPair[] = [];
    for (let look = 0; look < PAIRS; look += 1) {
      const pair = await atOnce(this.#target, [() => inner(request), () => inner(request)]);
      if (this.#changes !== changes) return;
      answers.push(...pair);
      const [one, other] = pair.map((answer) => this.#idsIn(answer));
      if (one !== undefined && other !== undefined) pairs.push([one, other]);
    }
    const lists = pairs.flat();
    // An old list may be followed by others, and at last by the right one.
    if (!before.right && lists.some((ids) => this.#showsOwn(project, ids))) return;
    const first = this.#idsIn(response) ?? before.ids;
    const byAnotherRun = this.#own.some((user) => before.ids.has(user) !== first.has(user));
    const changer = whoChanges(before.ids, pairs);
    // Another run of the suite takes back at once what it does; other clients do not.
    if (changer === 'unknown' && (byAnotherRun || pairs.length === 0)) return;
    if (changer !== 'another client') {
      const asBefore = answers.find((answer) => sameIds(this.#idsIn(answer) ?? new Set(), before.ids));
      this.#unsteady = { project, what, request, lists: [response, asBefore ?? response] };
      return;
    }
    this.#foreign ??= {
      what: `another client changes project ${project} while this run goes on: between two lists, with nothing sent in between, ${what}`,
      byAnotherRun,
    };
  }

  /** Keeps what a list shows. What differs from the list before, where nothing was sent that could change it. */
  #see(project: string, response: WireResponse, request: WireRequest): Difference | undefined {
    if (this.#read === undefined) this.#unread.push([project, response]);
    const ids = this.#idsIn(response);
    if (ids === undefined) return undefined;
    const before = this.#sights.get(project);
    const right = this.#showsOwn(project, ids);
    this.#sights.set(project, { untouched: true, right, provoked: false, ids, request });
    this.#keepOthers(project, ids);
    const known = this.#unsteady !== undefined || this.#foreign !== undefined;
    if (!before?.untouched || known) return undefined;
    if (!before.right && right) return undefined;
    // Other clients leave the suite's own users alone.
    const changed = [...before.ids, ...ids].filter((id) => before.ids.has(id) !== ids.has(id));
    if (before.provoked && changed.every((id) => this.#own.includes(id))) return undefined;
    const what = difference(before.ids, ids, this.#own);
    return what === undefined ? undefined : { project, what, before };
  }

  #idsIn(response: WireResponse): ReadonlySet<string> | undefined {
    if (this.#read === undefined || !isSuccess(response)) return undefined;
    const ids = this.#read(response);
    return ids && setOf(ids);
  }

  /** Whether a list shows of the suite's own users what the suite has done to them. What is not known is learnt from it. */
  #showsOwn(project: string, ids: ReadonlySet<string>): boolean {
    return this.#own.every((user) => {
      const keys = [...this.#projects]
        .filter(([, id]) => id === project)
        .map(([address]) => `${address}/${encodeId(user)}`);
      const key = keys.find((one) => this.#assigned.has(one));
      const expected = key === undefined ? false : this.#assigned.get(key);
      if (expected !== undefined) return ids.has(user) === expected;
      if (key !== undefined) this.#assigned.set(key, ids.has(user));
      return true;
    });
  }

  #keepOthers(project: string, ids: ReadonlySet<string>): void {
    const others = new Set([...ids].filter((id) => !this.#own.includes(id)));
    const known = this.#others.get(project);
    if (known === undefined) this.#others.set(project, { first: others, last: others });
    else known.last = others;
  }

  /** The project whose list a request asks for, whole: a parameter that is no token may ask for a part. */
  #projectOf({ url }: WireRequest): string | undefined {
    const [address = '', query] = url.split('?');
    const names = [...new URLSearchParams(query).keys()];
    if (names.some((name) => !/token/i.test(name))) return undefined;
    return this.#projects.get(address);
  }
}

/** Whether a request presents one of some tokens, in a header or in the query. */
function carriesOneOf(tokens: ReadonlySet<string>, { url, headers }: WireRequest): boolean {
  const presented = headers.map(([, value]) => value.split(' ').at(-1) ?? '');
  return [...presented, ...new URL(url).searchParams.values()].some((value) => tokens.has(value));
}

/** How a list is asked for, whichever client asks: its headers without the token, which comes and goes. */
function spelling({ headers }: WireRequest): string {
  const said = headers.filter(([name]) => !/^(?:authorization|cookie)$/i.test(name));
  return said.map(([name, value]) => `${name.toLowerCase()}: ${value}`).join('\n');
}

/** What differs, in words: the suite's own by their ids, others by their number. */
function difference(
  before: ReadonlySet<string>,
  now: ReadonlySet<string>,
  own: readonly string[] = [],
): string | undefined {
  const told = (ids: readonly string[], what: string) => {
    const ours = ids.filter((id) => own.includes(id)).map((id) => `${id} (the suite's own)`);
    const others = ids.length - ours.length;
    const words = [...ours, ...(others === 0 ? [] : [others === 1 ? 'one user' : `${others} users`])];
    return words.length === 0 ? [] : [`${words.join(' and ')} ${what}`];
  };
  const parts = [
    ...told(
      [...now].filter((id) => !before.has(id)),
      'came to be assigned',
    ),
    ...told(
      [...before].filter((id) => !now.has(id)),
      'came to be unassigned',
    ),
  ];
  return parts.length === 0 ? undefined : parts.join(', and ');
}

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RequirementId } from '../../../generated/ids.ts';
import { parsedJson } from '../../document/input/plain-data.ts';
import { commandFor } from '../../document/input/program-name.ts';
import { unlessPlain } from '../../document/input/shell-quotes.ts';
import { isSuccess, type Transport, TransportFailure, type WireRequest } from '../../http/exchange.ts';
import { percentDecoded } from '../../http/or-else.ts';
import type { Target } from '../target.ts';

export interface OwnAssignment {
  readonly project: string;
  readonly user: string;
}

/** True for the same user in the same project. */
export function isSame({ project, user }: OwnAssignment, other: OwnAssignment | undefined): boolean {
  return project === other?.project && user === other.user;
}

/** An own user who is probably still assigned after an unassign request. */
export interface LeftOver extends OwnAssignment {
  readonly unread?: string;
}

/** An own user is still assigned, so no further assign is allowed; nothing was sent. */
export class NotAssignedAnyMore extends TransportFailure {
  constructor(left: readonly OwnAssignment[]) {
    super(
      'not-sent',
      `not sent: cleaning up left ${stillAssigned(left)} assigned, so no further user is assigned`,
    );
    this.name = 'NotAssignedAnyMore';
  }
}

export class Leftovers {
  users: readonly LeftOver[] = [];
  owner: RequirementId = 'unassign.removes-user';

  get any(): boolean {
    return this.users.length > 0;
  }

  add(users: readonly LeftOver[]): void {
    const known = this.users;
    this.users = [...known, ...users.filter((user) => !known.some((one) => isSame(one, user)))];
  }

  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (this.any && request.method === 'PUT') throw new NotAssignedAnyMore(this.users);
      return inner(request, signal);
    };
  }
}

export function stillAssigned(left: readonly OwnAssignment[]): string {
  return left.map(({ project, user }) => `user ${user} in project ${project}`).join(', ');
}

/** Returns the command that unassigns the users whom a run has left assigned. */
export function sweepCommand({ file = 'FILE', report }: Pick<Target, 'file' | 'report'>): string {
  const from = report === undefined ? '' : ` --report ${unlessPlain(relative('', report) || '.')}`;
  return commandFor('sweep', file, from);
}

export function leftText(left: readonly LeftOver[], target: Pick<Target, 'file' | 'report'>): string {
  const seen = left.filter(({ unread }) => unread === undefined);
  const unread = left.filter((one) => one.unread !== undefined);
  const why = [...new Set(unread.map((one) => one.unread))].join(', ');
  return [
    ...(seen.length === 0 ? [] : [`still assigned and to be unassigned by hand: ${stillAssigned(seen)}`]),
    ...(unread.length === 0
      ? []
      : [
          `${stillAssigned(unread)} may still be assigned, because the list could not be read (${why}); when the service runs again: \`${sweepCommand(target)}\``,
        ]),
  ].join('; ');
}

export const ASSIGNED_FILE = 'assigned-users.json';

export interface RecordedAssignment extends OwnAssignment {
  readonly baseUrl: string;
}

/** `assigned`: no unassign was accepted since; `asked`: accepted, but no list has confirmed it; `gone`: confirmed by a list. */
type Since = 'assigned' | 'asked' | 'gone';

/**
 * The suite's own users that this run has asked the service to assign. The clean-up unassigns only these, even if one reappears.
 * One per session. The file in the report's folder lists those still assigned; it is written before each assign.
 */
export class AssignedByRun {
  readonly #own: readonly OwnAssignment[];
  readonly #lock: OwnAssignment | undefined;
  readonly #baseUrl: string;
  readonly #folder: string | undefined;
  readonly #users = new Map<OwnAssignment, Since>();
  /** Pending assign requests with an id that only resembles an own one; a careless service may assign any user. */
  #oddUnderWay = 0;
  #others: readonly RecordedAssignment[] = [];
  #written = '';
  #sent = false;

  constructor({ projects, users, lock, baseUrl, report }: Target) {
    this.#own = projects.flatMap((project) => users.map((user) => ({ project, user })));
    this.#lock = lock && { project: lock.project, user: lock.user };
    this.#baseUrl = baseUrl;
    this.#folder = report;
    if (report === undefined) return;
    const before = readAssigned(report) ?? [];
    // A lock that a killed run has left stays in the file until a list shows that it is gone.
    this.#others = before.filter((one) => one.baseUrl !== baseUrl || isSame(one, this.#lock));
    const known = before.filter((one) => one.baseUrl === baseUrl);
    for (const own of this.#own) if (known.some((one) => isSame(one, own))) this.#users.set(own, 'assigned');
    this.#write();
  }

  /** Excludes the lock, which only {@link lockHeld} tells. */
  get assigned(): readonly OwnAssignment[] {
    return this.#those('assigned').filter((one) => one !== this.#lock);
  }

  /** True from the request that takes the lock until a list shows that it is released. */
  get lockHeld(): boolean {
    return this.#left.some((one) => one === this.#lock);
  }

  get any(): boolean {
    return this.#left.some((one) => one !== this.#lock);
  }

  has(project: string, user: string): boolean {
    return [...this.#users.keys()].some((one) => isSame(one, { project, user }));
  }

  /** Notes an own user whom the next request may assign, in a form that {@link guard} does not know. */
  mayAssign(project: string, user: string): void {
    const own = this.#own.find((one) => isSame(one, { project, user }));
    if (own !== undefined) this.#assigns(own);
  }

  #assigns(own: OwnAssignment): void {
    this.#sent = true;
    this.#users.set(own, 'assigned');
    this.#writeFirst();
  }

  /** True if this run itself has sent the assign, and no list has shown since that the user is gone. */
  stays(place: OwnAssignment): boolean {
    return this.#sent && this.#left.some((one) => isSame(one, place));
  }

  claimAll(): void {
    for (const own of this.#own) if (this.#users.get(own) !== 'assigned') this.#users.set(own, 'asked');
    this.#write();
  }

  seenUnassigned(project: string, users: readonly string[]): void {
    const isGone = (one: OwnAssignment) => one.project === project && users.includes(one.user);
    for (const one of this.#users.keys()) if (isGone(one)) this.#users.set(one, 'gone');
    this.#others = this.#others.filter((one) => one.baseUrl !== this.#baseUrl || !isGone(one));
    this.#write();
  }

  clear(): void {
    this.#users.clear();
    this.#write();
  }

  get #left(): readonly OwnAssignment[] {
    return this.#those('assigned', 'asked');
  }

  #those(...wanted: readonly Since[]): readonly OwnAssignment[] {
    return [...this.#users].flatMap(([one, since]) => (wanted.includes(since) ? [one] : []));
  }

  guard(inner: Transport): Transport {
    return async (request, signal) => {
      const { method } = request;
      const own = method === 'PUT' || method === 'DELETE' ? this.#aboutOwn(request) : undefined;
      if (method === 'PUT' && own === undefined) return this.#odd(() => inner(request, signal));
      if (method === 'PUT' && own) this.#assigns(own);
      const response = await inner(request, signal);
      if (method === 'DELETE' && own && this.#users.get(own) === 'assigned' && isSuccess(response))
        this.#users.set(own, 'asked');
      return response;
    };
  }

  async #odd(send: () => ReturnType<Transport>): ReturnType<Transport> {
    this.#oddUnderWay += 1;
    this.#writeFirst();
    let refused = false;
    try {
      const response = await send();
      refused = !isSuccess(response);
      return response;
    } finally {
      this.#oddUnderWay -= 1;
      if (refused) this.#write();
      else this.claimAll();
    }
  }

  #aboutOwn({ url }: WireRequest): OwnAssignment | undefined {
    // An id may be sent with more percent-encoding than it needs.
    const path = percentDecoded(new URL(url).pathname).replace(/\/$/, '');
    return [...this.#own, ...(this.#lock === undefined ? [] : [this.#lock])].find(({ project, user }) =>
      path.endsWith(`/projects/${project}/assigned_users/${user}`),
    );
  }

  /** @throws TransportFailure if the file cannot be written: then no assign may be sent */
  #writeFirst(): void {
    try {
      this.#write();
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      throw new TransportFailure('not-sent', `not sent: ${ASSIGNED_FILE} could not be written (${why})`);
    }
  }

  #write(): void {
    if (this.#folder === undefined) return;
    const mine = this.#oddUnderWay > 0 ? this.#own : this.#left;
    const all = [...this.#others, ...mine.map((one) => ({ baseUrl: this.#baseUrl, ...one }))];
    const text = `${JSON.stringify(all, undefined, 2)}\n`;
    if (text === this.#written) return;
    const file = join(this.#folder, ASSIGNED_FILE);
    mkdirSync(this.#folder, { recursive: true });
    // Written beside it first, so that a kill leaves the file intact.
    const beside = `${file}.${process.pid}.tmp`;
    writeFileSync(beside, text, { flush: true });
    renameSync(beside, file);
    this.#written = text;
  }
}

/** Reads the users that earlier runs left assigned; undefined if no run wrote the file. @throws Error for an invalid file */
export function readAssigned(folder: string): readonly RecordedAssignment[] | undefined {
  const file = join(folder, ASSIGNED_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const entries: unknown = parsedJson(text);
  if (Array.isArray(entries) && entries.every(isRecorded)) return entries;
  throw new Error(`${file}: expected what a run writes, a list of baseUrl, project and user`);
}

function isRecorded(value: unknown): value is RecordedAssignment {
  if (typeof value !== 'object' || value === null) return false;
  const { baseUrl, project, user } = value as Record<string, unknown>;
  return [baseUrl, project, user].every((part) => typeof part === 'string');
}

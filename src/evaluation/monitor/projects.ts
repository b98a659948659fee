import type { RequirementId } from '../../../generated/ids.ts';
import { finalValues, type KeyOperation, LONGEST_WINDOW } from './races.ts';
import type { RightRequest } from './right-requests.ts';

export interface AssignmentChange {
  readonly operation: 'assign' | 'unassign' | 'other';
  readonly project: string;
  readonly user: string | undefined;
  readonly effect: 'done' | 'none' | 'maybe';
  /** Requirement for side effects; `lawful` for a documented request, undefined if unknown. */
  readonly blame: 'lawful' | RequirementId | undefined;
  readonly redundant: boolean;
  readonly channel: string | undefined;
  /** A right request that was acknowledged: the next list must show its effect. */
  readonly right?: RightRequest | undefined;
  /** Seconds on the target's clock. */
  readonly at: number;
  readonly begun: number;
  readonly ended: number;
}

export interface DoneChange extends Pick<AssignmentChange, 'at'> {
  readonly operation: 'assign' | 'unassign';
}

export interface ListReading {
  readonly ids: ReadonlySet<string>;
  readonly begun: number;
  readonly ended: number;
}

export interface WrongUser {
  readonly user: string;
  readonly listed: boolean;
}

const BOTH: ReadonlySet<boolean> = new Set([true, false]);
const YES: ReadonlySet<boolean> = new Set([true]);
const NO: ReadonlySet<boolean> = new Set([false]);
const NEITHER: ReadonlySet<boolean> = new Set();

/** Known assignments of one project; each user is assigned, not assigned, or unknown. */
export class ProjectModel {
  #closed = false;
  #users = new Map<string, ReadonlySet<boolean>>();
  #atStart: ReadonlyMap<string, ReadonlySet<boolean>> | undefined;
  #untouched = true;
  /** Requests since the last right list, oldest first, including those to other projects. */
  #since: AssignmentChange[] = [];
  /** The last documented change of each user that had an effect. */
  readonly #lastDone = new Map<string, DoneChange>();
  #window: (AssignmentChange | ListReading)[] = [];
  #readings: readonly ReadonlySet<string>[] = [];
  #inFlight = 0;

  get since(): readonly AssignmentChange[] {
    return this.#since;
  }

  lastDoneTo(user: string): DoneChange | undefined {
    return this.#lastDone.get(user);
  }

  isExactly(ids: ReadonlySet<string>): boolean {
    const numbers = { assigned: 0, different: 0 };
    this.#users.forEach((values, user) => {
      if (values === YES) numbers.assigned += 1;
      if (values === BOTH || (values === YES && !ids.has(user))) numbers.different += 1;
    });
    return this.#closed && numbers.different === 0 && numbers.assigned === ids.size;
  }

  get busy(): boolean {
    return this.#inFlight > 0;
  }

  /** The latest lists; several if their requests were concurrent. */
  get readings(): readonly ReadonlySet<string>[] {
    return this.#readings;
  }

  /** Returns a copy; {@link isAssigned} tests one user. */
  get assigned(): readonly string[] {
    return assignedIn(this.#users);
  }

  /** Counts assigned users up to a number. */
  assignedUpTo(most: number): number {
    let count = 0;
    for (const values of this.#users.values()) if (values === YES && ++count === most) break;
    return count;
  }

  isAssigned(user: string): boolean {
    return this.#users.get(user) === YES;
  }

  valuesOf(user: string): ReadonlySet<boolean> {
    return this.#users.get(user) ?? (this.#closed ? NO : BOTH);
  }

  /** Undefined if the initial assignments were not seen. */
  get assignedAtStart(): readonly string[] | undefined {
    return this.#atStart && assignedIn(this.#atStart);
  }

  beginWith(users: readonly string[]): void {
    this.#atStart = new Map(users.map((user) => [user, YES]));
    this.reset();
  }

  begin(): void {
    this.#inFlight += 1;
  }

  /** Records a change, in this project or another, that may explain later wrong lists. */
  remember(change: AssignmentChange, here: boolean): void {
    const { operation, user, effect, blame, at } = change;
    if (here && operation !== 'other' && user !== undefined && effect === 'done' && blame === 'lawful')
      this.#lastDone.set(user, { operation, at });
    this.#since.push(change);
    if (this.#since.length > 40) this.#since.shift();
  }

  /** Ends a request. Returns the wrongly listed users once no request is pending. */
  end(done: AssignmentChange | ListReading | undefined): readonly WrongUser[] {
    this.#inFlight -= 1;
    if (done !== undefined) this.#window.push(done);
    if (this.#inFlight > 0) return [];
    const window = this.#window;
    this.#window = [];
    return this.#settle(window);
  }

  /** Adopts the wrongly listed state, so that its consequences are not reported again. */
  trust({ user, listed }: WrongUser): void {
    this.#users.set(user, listed ? YES : NO);
  }

  ignore(): void {
    this.#since = [];
  }

  reset(): void {
    this.#since = [];
    this.#window = [];
    this.#untouched = true;
    this.#closed = this.#atStart !== undefined;
    this.#users = new Map(this.#atStart);
  }

  #settle(window: readonly (AssignmentChange | ListReading)[]): readonly WrongUser[] {
    const changes = window.filter((one): one is AssignmentChange => 'operation' in one);
    const readings = window.filter((one): one is ListReading => 'ids' in one);
    this.#readings = readings.map(({ ids }) => ids);
    if (changes.some((one) => one.operation === 'other' || one.user === undefined)) {
      this.#openUp();
      return [];
    }
    if (window.length > LONGEST_WINDOW) {
      for (const { user } of changes) if (user !== undefined) this.#users.set(user, BOTH);
      return [];
    }
    const wrong: WrongUser[] = [];
    const changed = new Set(changes.flatMap(({ user }) => user ?? []));
    const settle = (user: string) => {
      const initial = this.valuesOf(user);
      const finals = changed.has(user)
        ? finalValues(operationsOn(user, changes, readings), initial)
        : asRead(user, readings, initial);
      if (finals.size > 0) {
        const only = finals.has(true) ? YES : NO;
        const known = finals.size > 1 ? BOTH : only;
        if (this.#users.get(user) !== known) this.#users.set(user, known);
      } else wrong.push({ user, listed: readings.at(-1)?.ids.has(user) ?? false });
    };
    for (const user of changed) settle(user);
    const seen: ReadonlySet<string>[] = [changed];
    const isSeen = (user: string) => seen.some((ids) => ids.has(user));
    // An iterator allocates for each of many users: forEach does not.
    for (const ids of new Set(readings.map((one) => one.ids))) {
      ids.forEach((user) => {
        const isNoNews = readings.length === 1 && this.isAssigned(user);
        if (!isNoNews && !isSeen(user)) settle(user);
      });
      seen.push(ids);
    }
    if (readings.length > 0) {
      this.#users.forEach((values, user) => {
        const isNoNews = readings.length === 1 && values === NO;
        if (!isNoNews && !isSeen(user)) settle(user);
      });
    }
    if (readings.length > 0) this.#close();
    if (changes.length > 0) this.#untouched = false;
    return wrong;
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#untouched) this.#atStart ??= new Map(this.#users);
  }

  #openUp(): void {
    this.#closed = false;
    this.#untouched = false;
    this.#users = new Map();
  }
}

function assignedIn(users: ReadonlyMap<string, ReadonlySet<boolean>>): readonly string[] {
  const assigned: string[] = [];
  users.forEach((values, user) => {
    if (values === YES) assigned.push(user);
  });
  return assigned;
}

function asRead(
  user: string,
  readings: readonly ListReading[],
  initial: ReadonlySet<boolean>,
): ReadonlySet<boolean> {
  const [first, ...more] = readings;
  if (first === undefined) return initial;
  const listed = first.ids.has(user);
  const agreed = initial.has(listed) && more.every(({ ids }) => ids.has(user) === listed);
  if (!agreed) return NEITHER;
  return listed ? YES : NO;
}

function operationsOn(
  user: string,
  changes: readonly AssignmentChange[],
  readings: readonly ListReading[],
): readonly KeyOperation[] {
  const writes = changes
    .filter((one) => one.user === user && one.effect !== 'none')
    .map(({ begun, ended, effect, operation }) => ({
      begun,
      ended,
      does: effect === 'done' ? ('set' as const) : ('may-set' as const),
      value: operation === 'assign',
    }));
  const reads = readings.map(({ begun, ended, ids }) => ({
    begun,
    ended,
    does: 'read' as const,
    value: ids.has(user),
  }));
  return [...writes, ...reads];
}

import type { RequirementId } from '../../generated/ids.ts';
import { finalValues, type KeyOperation, LONGEST_WINDOW } from './linearizable.ts';

/** A request that may change who is assigned, answered. */
export interface AssignmentChange {
  readonly operation: 'assign' | 'unassign' | 'other';
  readonly project: string;
  /** Undefined where the request does not say which. */
  readonly user: string | undefined;
  /** What it did to that user: as asked, nothing, or either. */
  readonly effect: 'done' | 'none' | 'maybe';
  /** Who answers for whatever it does beyond that: `lawful` for a request as documented, else a requirement; undefined when nobody can say. */
  readonly blame: 'lawful' | RequirementId | undefined;
  /** Whether it should have changed anything. */
  readonly redundant: boolean;
  readonly begun: number;
  readonly ended: number;
}

/** A list, read. */
export interface ListReading {
  readonly ids: ReadonlySet<string>;
  readonly begun: number;
  readonly ended: number;
}

/** A user of whom a list shows the opposite of what must be. */
export interface WrongUser {
  readonly user: string;
  readonly listed: boolean;
}

const BOTH: ReadonlySet<boolean> = new Set([true, false]);
const YES: ReadonlySet<boolean> = new Set([true]);
const NO: ReadonlySet<boolean> = new Set([false]);
const NEITHER: ReadonlySet<boolean> = new Set();

/** Who is assigned to one project, as far as it is known: of each user yes, no, or either. */
export class ProjectModel {
  /** Whether everybody is known: a list was read. */
  #closed = false;
  #users = new Map<string, ReadonlySet<boolean>>();
  #atStart: ReadonlyMap<string, ReadonlySet<boolean>> | undefined;
  #untouched = true;
  /** Requests since a list was last right, oldest first, those to other projects included. */
  #since: AssignmentChange[] = [];
  /** What was done last to each user as documented, and had an effect. */
  readonly #lastDone = new Map<string, 'assign' | 'unassign'>();
  #window: (AssignmentChange | ListReading)[] = [];
  #readings: readonly ReadonlySet<string>[] = [];
  #inFlight = 0;

  get since(): readonly AssignmentChange[] {
    return this.#since;
  }

  /** What was done last to a user of the project, as documented; undefined where nothing was. */
  lastDoneTo(user: string): 'assign' | 'unassign' | undefined {
    return this.#lastDone.get(user);
  }

  /** Whether these are just the users who are certainly assigned, and everybody is known. */
  isExactly(ids: ReadonlySet<string>): boolean {
    const { assigned } = this;
    const certain = [...this.#users.values()].every((values) => values !== BOTH);
    return this.#closed && certain && assigned.length === ids.size && assigned.every((id) => ids.has(id));
  }

  /** Whether everybody who is assigned is known. */
  get isKnown(): boolean {
    return this.#closed;
  }

  /** Whether requests to this project are on their way. */
  get busy(): boolean {
    return this.#inFlight > 0;
  }

  /** The lists that were read last, several where they were on their way at once. */
  get readings(): readonly ReadonlySet<string>[] {
    return this.#readings;
  }

  /** Everybody who certainly is assigned. */
  get assigned(): readonly string[] {
    return [...this.#users].filter(([, values]) => values === YES).map(([user]) => user);
  }

  /** The values that a user's assignment may have. */
  valuesOf(user: string): ReadonlySet<boolean> {
    return this.#users.get(user) ?? (this.#closed ? NO : BOTH);
  }

  /** Who was assigned before anything was changed; undefined where that was not seen. */
  get assignedAtStart(): readonly string[] | undefined {
    return this.#atStart && [...this.#atStart].filter(([, values]) => values === YES).map(([user]) => user);
  }

  /** Who is assigned at the start, where that is known from elsewhere. */
  beginWith(users: readonly string[]): void {
    this.#atStart = new Map(users.map((user) => [user, YES]));
    this.reset();
  }

  begin(): void {
    this.#inFlight += 1;
  }

  /** Something was done to another project, or to this one: lists that are wrong from now on may be its fault. */
  remember(change: AssignmentChange, here: boolean): void {
    const { operation, user, effect, blame } = change;
    if (here && operation !== 'other' && user !== undefined && effect === 'done' && blame === 'lawful')
      this.#lastDone.set(user, operation);
    this.#since.push(change);
    if (this.#since.length > 40) this.#since.shift();
  }

  /** A request that was begun got its answer, or none. Returns who was listed wrongly, once nothing is on its way. */
  end(done: AssignmentChange | ListReading | undefined): readonly WrongUser[] {
    this.#inFlight -= 1;
    if (done !== undefined) this.#window.push(done);
    if (this.#inFlight > 0) return [];
    const window = this.#window;
    this.#window = [];
    return this.#settle(window);
  }

  /** What was wrongly listed is taken to be as listed: what follows from it is no news. */
  believe({ user, listed }: WrongUser): void {
    this.#users.set(user, listed ? YES : NO);
  }

  /** A list was right: what was done before it is no cause of what comes. */
  forgive(): void {
    this.#since = [];
  }

  /** Assignments are as they were at the start. */
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
        const known = finals.size > 1 ? BOTH : finals.has(true) ? YES : NO;
        if (this.#users.get(user) !== known) this.#users.set(user, known);
      } else wrong.push({ user, listed: readings.at(-1)?.ids.has(user) ?? false });
    };
    for (const user of changed) settle(user);
    const seen: ReadonlySet<string>[] = [changed];
    for (const ids of new Set(readings.map((one) => one.ids))) {
      for (const user of ids) {
        const isNoNews = readings.length === 1 && this.#users.get(user) === YES;
        if (!isNoNews && !seen.some((before) => before.has(user))) settle(user);
      }
      seen.push(ids);
    }
    if (readings.length > 0) {
      for (const [user, values] of this.#users) {
        const isNoNews = readings.length === 1 && values === NO;
        if (!isNoNews && !seen.some((ids) => ids.has(user))) settle(user);
      }
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

  /** Nothing is known any more. */
  #openUp(): void {
    this.#closed = false;
    this.#untouched = false;
    this.#users = new Map();
  }
}

/** The value of a user whom nobody changed, after these lists; none where the lists differ, or show the opposite. */
function asRead(
  user: string,
  readings: readonly ListReading[],
  initial: ReadonlySet<boolean>,
): ReadonlySet<boolean> {
  const [first, ...more] = readings;
  if (first === undefined) return initial;
  const listed = first.ids.has(user);
  const agreed = initial.has(listed) && more.every(({ ids }) => ids.has(user) === listed);
  return agreed ? (listed ? YES : NO) : NEITHER;
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

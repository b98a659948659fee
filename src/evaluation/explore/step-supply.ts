import { ALL_SCOPES, type Target } from '../../service/target.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import { SORTED_SCOPES } from '../monitor/read-request.ts';
import type { KnownPair } from '../monitor/token-model.ts';
import { Decks, type Random } from './random.ts';
import type { StepPerformer } from './step-performer.ts';
import type { OperationSpelling, Step, StepSpelling } from './steps.ts';

export type Authorize = Extract<Step, { do: 'authorize' }>;

const FEWER_SCOPES = [
  'read',
  'write',
  'destroy',
  'read write',
  'write destroy',
  'read destroy',
  'write read',
  'destroy write',
] as const;
const ORDERS_OF_ALL = [
  ALL_SCOPES,
  'destroy write read',
  'write read destroy',
  'read destroy write',
  'destroy read write',
  'write destroy read',
] as const;

/** States of printable characters (RFC 6749 A.5): short, long, and with characters that encodings often break. */
const STATES = [
  '0',
  'x y+z',
  '~!*()',
  'a'.repeat(1_000),
  `%2B&=#;/?:@"'<>\\^{|}\`[]$,.-_`,
  '{"n":"1"}',
] as const;

/** Equivalent spellings of a list request (clause 4.4). */
export const READ_OTHERWISE: readonly OperationSpelling[] = [
  { head: true },
  { unlessSame: true },
  { encoding: 'br' },
  { encoding: 'gzip' },
  { encoding: 'identity' },
  { accept: '*/*' },
  { accept: 'none' },
  { host: true },
  { percent: true },
];
const CHANGED_OTHERWISE: readonly OperationSpelling[] = [
  { percent: true },
  { body: true },
  { accept: '*/*' },
  { accept: 'none' },
  { host: true },
];

const PROJECTS_AT_ONCE = 3;
const USERS_AT_ONCE = 5;

const NEWEST = 0.4;

export class StepSupply {
  readonly random: Random;
  readonly decks: Decks;
  readonly target: Target;
  readonly refusals: boolean;
  readonly #watched: MonitoredSession;
  readonly #performer: () => StepPerformer;
  readonly #named = { code: 0, pair: 0 };
  /** Number of applications that were created. */
  applications = 0;
  projects: Target['projects'];
  users: Target['users'];

  constructor(random: Random, watched: MonitoredSession, performer: () => StepPerformer, refusals: boolean) {
    this.random = random;
    this.decks = new Decks(random);
    this.#watched = watched;
    this.target = watched.session.target;
    this.refusals = refusals;
    this.#performer = performer;
    this.projects = this.target.projects;
    this.users = this.target.users;
  }

  /** Chooses few projects and users for an episode, so that its steps interact. */
  focus(): void {
    this.projects = this.some(this.target.projects, PROJECTS_AT_ONCE);
    this.users = this.some(this.target.users, USERS_AT_ONCE);
  }

  some(all: Target['projects'], most: number): Target['projects'] {
    const [first, ...rest] = this.random.shuffled(all).slice(0, most);
    return [first ?? all[0], ...rest];
  }

  get early(): boolean {
    return this.#watched.session.requestStyle.refreshBeforeExpiry || this.target.clock === undefined;
  }

  get performer(): StepPerformer {
    return this.#performer();
  }

  /** A name that no step has given yet. */
  newName(of: 'code' | 'pair'): string {
    this.#named[of] += 1;
    return `${of} ${this.#named[of]}`;
  }

  newApplication(): number {
    this.applications += 1;
    return this.performer.applications.length + this.applications - 1;
  }

  authorize(change: Partial<Authorize> = {}): Authorize {
    const { random } = this;
    const { applications } = this.performer;
    const application = change.application ?? (random.chance(0.3) ? random.below(applications.length) : 0);
    const addresses = applications[application]?.redirectUris.length ?? 1;
    return {
      do: 'authorize',
      as: this.newName('code'),
      application,
      address: random.chance(0.4) ? random.below(addresses) : 0,
      scope: random.chance(0.85) ? this.decks.next(ORDERS_OF_ALL) : random.oneOf(FEWER_SCOPES),
      ...(random.chance(0.2) ? { state: this.decks.next(STATES) } : {}),
      ...(random.chance(0.2) ? { spelling: { order: random.shuffled([0, 1, 2, 3]) } } : {}),
      ...change,
    };
  }

  project(): string {
    return this.random.oneOf(this.projects);
  }

  userToChange(operation: 'assign' | 'unassign', project: string): string {
    const known = this.#watched.monitor.project(project);
    const changing = this.users.filter((user) => known.valuesOf(user).has(operation === 'unassign'));
    return this.random.pick(changing) ?? this.random.oneOf(this.users);
  }

  mayBeAssigned(user: string, project: string): boolean {
    return this.#watched.monitor.project(project).valuesOf(user).has(true);
  }

  spelling(parameters: number, otherwise = 0.4): { readonly spelling?: StepSpelling } {
    const { random } = this;
    if (!random.chance(otherwise)) return {};
    const order = random.shuffled(Array.from({ length: parameters }, (_, index) => index));
    return {
      spelling: {
        ...(random.chance(0.6) ? { order } : {}),
        ...(random.chance(0.2) ? { charset: true as const } : {}),
        ...(random.chance(0.3) ? { accept: random.oneOf(['*/*', 'none'] as const) } : {}),
        ...(random.chance(0.2) ? { percent: true as const } : {}),
      },
    };
  }

  asked(operation: 'assign' | 'unassign' | 'list'): { readonly spelling?: OperationSpelling } {
    if (!this.random.chance(0.14)) return {};
    return { spelling: this.decks.next(operation === 'list' ? READ_OTHERWISE : CHANGED_OTHERWISE) };
  }

  liveToken(): string | undefined {
    const whole = !this.random.chance(0.1);
    return this.pair((pair) => this.stateOf(pair) === 'live' && (pair.scope === SORTED_SCOPES || !whole));
  }

  /** Returns all tokens that must be honoured, newest first. */
  liveTokens(): readonly string[] {
    return this.#pairsThat((pair) => this.stateOf(pair) === 'live').reverse();
  }

  stateOf(pair: KnownPair): 'live' | 'dead' | 'open' {
    return this.#watched.monitor.model.stateOf(pair, this.#watched.now());
  }

  pair(fits: (pair: KnownPair) => boolean): string | undefined {
    const names = this.#pairsThat(fits);
    return this.random.chance(NEWEST) ? names.at(-1) : this.random.pick(names);
  }

  #pairsThat(fits: (pair: KnownPair) => boolean): string[] {
    const { byAccess } = this.#watched.monitor.model;
    return [...this.performer.named.pairs].flatMap(([name, { accessToken }]) => {
      const pair = byAccess.get(accessToken);
      return pair !== undefined && fits(pair) ? [name] : [];
    });
  }

  code(fits: (presented: number) => boolean): string | undefined {
    const { codes } = this.#watched.monitor.model;
    const names = [...this.performer.named.codes].flatMap(([name, { credential }]) => {
      const code = codes.get(credential);
      return code !== undefined && fits(code.presented) ? [name] : [];
    });
    return this.random.chance(NEWEST) ? names.at(-1) : this.random.pick(names);
  }
}

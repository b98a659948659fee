import { unknownId } from '../flow/never-issued.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import type { Target } from '../targets/target.ts';
import type { Performer } from './perform.ts';
import type { Random } from './random.ts';
import {
  NO_TOKEN,
  needsOf,
  REFRESH_TOKEN_OF,
  type SingleStep,
  type Spelling,
  type Step,
  UNKNOWN_TOKEN,
  WRONG_AUTHORIZATIONS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
} from './steps.ts';

/** What exploration may do to a target. */
export interface Allowed {
  /** Replays, old refresh tokens, wrong credentials: they may revoke or lock. */
  readonly refusals: boolean;
}

/** Kinds of steps, with how often each comes when all are wanted alike. */
const WEIGHTS = [
  ['authorize', 5],
  ['authorize wrongly', 2],
  ['exchange', 12],
  ['exchange wrongly', 3],
  ['exchange again', 3],
  ['refresh', 10],
  ['refresh wrongly', 3],
  ['refresh old', 2],
  ['list', 9],
  ['assign', 13],
  ['unassign', 9],
  ['without right', 6],
  ['unknown ids', 3],
  ['wait', 4],
  ['at once', 10],
] as const;

/** A kind of step. */
export type Kind = (typeof WEIGHTS)[number][0];

/** How often each kind comes in one episode. */
export type Weights = readonly (readonly [Kind, number])[];

const NEEDS_LEAVE: readonly Kind[] = [
  'authorize wrongly',
  'exchange wrongly',
  'exchange again',
  'refresh wrongly',
  'refresh old',
  'without right',
];

/** All kinds as they are, or, every second time, each not at all, as usual, or much more: that reaches further. */
export function weightsOf(episode: number, random: Random, { refusals }: Allowed): Weights {
  const allowed = WEIGHTS.filter(([kind]) => refusals || !NEEDS_LEAVE.includes(kind));
  if (episode % 2 === 1) return allowed;
  return allowed.map(([kind, weight]) => [kind, weight * random.oneOf([0, 1, 1, 4])]);
}

const SCOPES = [
  'read',
  'write',
  'destroy',
  'read write',
  'write destroy',
  'read destroy',
  'write read',
  'destroy write',
] as const;
const EVERY_SCOPE = ['read write destroy', 'destroy write read', 'write read destroy'] as const;

/** Seconds to wait: moments, minutes, both sides of a token's life, hours, and more than a day. */
const WAITS = [1, 5, 61, 301, 1_801, 3_601, 7_185, 7_215, 7_300, 22_000, 90_000] as const;

/** Projects and users that one episode is about. */
const PROJECTS_AT_ONCE = 3;
const USERS_AT_ONCE = 5;

/** Kinds of which some are sent at once. */
const TOGETHER = [
  'exchange',
  'exchange',
  'refresh',
  'refresh',
  'assign',
  'assign',
  'unassign',
  'list',
  'without right',
  'exchange wrongly',
  'refresh wrongly',
] as const satisfies readonly Kind[];

/** Of these some are sent at once more often than of others. */
const CHANGES = ['assign', 'assign', 'unassign'] as const satisfies readonly Kind[];

/** How often the newest of several is taken. */
const NEWEST = 0.4;

/** Chooses steps that make sense now: it reads what the monitor knows. */
export class Chooser {
  readonly #random: Random;
  readonly #target: Target;
  readonly #watched: MonitoredSession;
  readonly #performer: () => Performer;
  #codes = 0;
  #pairs = 0;
  #projects: Target['projects'];
  #users: Target['users'];

  constructor(random: Random, watched: MonitoredSession, performer: () => Performer) {
    this.#random = random;
    this.#watched = watched;
    this.#target = watched.session.target;
    this.#performer = performer;
    this.#projects = this.#target.projects;
    this.#users = this.#target.users;
  }

  /** Chooses the few projects and users that an episode is about: among too many, steps seldom meet. */
  focus(): void {
    this.#projects = this.#some(this.#target.projects, PROJECTS_AT_ONCE);
    this.#users = this.#some(this.#target.users, USERS_AT_ONCE);
  }

  #some(all: Target['projects'], most: number): Target['projects'] {
    const [first, ...rest] = this.#random.shuffled(all).slice(0, most);
    return [first ?? all[0], ...rest];
  }

  /** The next steps: one, and what must follow it at once. */
  next(weights: Weights): readonly Step[] {
    for (let tries = 0; tries < 20; tries += 1) {
      const kind = this.#random.weighted(weights);
      const steps = kind && this.#steps(kind, weights);
      if (steps !== undefined) return steps;
    }
    return [this.#authorize()];
  }

  #steps(kind: Kind, weights: Weights): readonly Step[] | undefined {
    switch (kind) {
      case 'authorize':
        return [this.#authorize()];
      case 'authorize wrongly':
        return [
          {
            do: 'authorize wrongly',
            how: this.#random.oneOf(WRONG_AUTHORIZATIONS),
            application: this.#random.below(this.#performer().applications.length),
          },
        ];
      case 'exchange':
        return this.#exchange();
      case 'exchange again':
        return this.#exchangeAgain();
      case 'exchange wrongly': {
        const code = this.#code((presented) => presented === 0);
        return code === undefined
          ? undefined
          : [{ do: 'exchange wrongly', code, how: this.#random.oneOf(WRONG_EXCHANGES) }];
      }
      case 'refresh':
        return this.#refresh(true);
      case 'refresh old':
        return this.#refresh(false);
      case 'refresh wrongly': {
        const pair = this.#pair(() => true);
        return pair === undefined
          ? undefined
          : [{ do: 'refresh wrongly', pair, how: this.#random.oneOf(WRONG_REFRESHES) }];
      }
      case 'wait':
        return this.#target.clock === undefined
          ? undefined
          : [{ do: 'wait', seconds: this.#random.oneOf(WAITS) }];
      case 'list':
        return this.#list();
      case 'assign':
      case 'unassign':
        return this.#change(kind);
      case 'without right':
        return this.#withoutRight();
      case 'unknown ids':
        return this.#unknownIds();
      case 'at once':
        return this.#atOnce(weights);
    }
  }

  #authorize(): Step {
    const random = this.#random;
    const { applications } = this.#performer();
    const application = random.chance(0.3) ? random.below(applications.length) : 0;
    const addresses = applications[application]?.redirectUris.length ?? 1;
    this.#codes += 1;
    return {
      do: 'authorize',
      as: `code ${this.#codes}`,
      application,
      address: random.chance(0.3) ? random.below(addresses) : 0,
      scope: random.chance(0.85) ? random.oneOf(EVERY_SCOPE) : random.oneOf(SCOPES),
      ...(random.chance(0.2) ? { state: random.oneOf(['0', 'x y+z', '~!*()']) } : {}),
      ...(random.chance(0.2) ? { spelling: { order: random.shuffled([0, 1, 2, 3]) } } : {}),
    };
  }

  #exchange(): readonly Step[] {
    const fresh = this.#code((presented) => presented === 0);
    const steps: Step[] = [];
    let code = fresh;
    if (code === undefined) {
      const authorize = this.#authorize() as Extract<Step, { do: 'authorize' }>;
      steps.push(authorize);
      code = authorize.as;
    }
    this.#pairs += 1;
    steps.push({ do: 'exchange', code, as: `pair ${this.#pairs}`, ...this.#spelling(5) });
    return steps;
  }

  #exchangeAgain(): readonly Step[] | undefined {
    const code = this.#code((presented) => presented > 0);
    if (code === undefined) return undefined;
    this.#pairs += 1;
    return [{ do: 'exchange', code, as: `pair ${this.#pairs}`, ...this.#spelling(5) }];
  }

  #refresh(latest: boolean): readonly Step[] | undefined {
    const pair = this.#pair(({ family, presented, ...it }) =>
      latest ? presented === 0 && family.latest?.access === it.access : presented > 0,
    );
    if (pair === undefined) return undefined;
    this.#pairs += 1;
    const as = `pair ${this.#pairs}`;
    const early = this.#watched.session.dialect.refreshBeforeExpiry || this.#target.clock === undefined;
    const wait: readonly Step[] = early ? [] : [{ do: 'wait', seconds: 7_215 }];
    const steps: Step[] = [...wait, { do: 'refresh', pair, as, ...this.#spelling(4) }];
    // A refreshed token is what is used too seldom.
    if (latest && this.#random.chance(0.3)) steps.push(...(this.#change('assign', as) ?? []));
    return steps;
  }

  #list(): readonly Step[] | undefined {
    const token = this.#liveToken();
    return token === undefined ? undefined : [{ do: 'list', project: this.#project(), with: token }];
  }

  #change(operation: 'assign' | 'unassign', token = this.#liveToken()): readonly Step[] | undefined {
    if (token === undefined) return undefined;
    const random = this.#random;
    const project = this.#project();
    const users = this.#users;
    const known = this.#watched.monitor.project(project);
    const changing = users.filter((user) => known.valuesOf(user).has(operation === 'unassign'));
    const user = (random.chance(0.85) ? random.pick(changing) : undefined) ?? random.oneOf(users);
    const steps: Step[] = [{ do: operation, project, user, with: token }];
    if (random.chance(0.6)) {
      const reader = random.chance(0.5) ? token : (this.#liveToken() ?? token);
      steps.push({ do: 'list', project: random.chance(0.8) ? project : this.#project(), with: reader });
    }
    return steps;
  }

  /** An operation with a token that is none, dead, or of another kind; then a look with a good one. */
  #withoutRight(): readonly Step[] | undefined {
    const random = this.#random;
    const dead = this.#pair((pair) => this.#stateOf(pair) === 'dead');
    const any = this.#pair(() => true);
    const code = this.#code(() => true);
    const wrong = [
      NO_TOKEN,
      ...(any === undefined ? [] : [UNKNOWN_TOKEN, `${REFRESH_TOKEN_OF}${any}`]),
      ...(dead === undefined ? [] : [dead, dead]),
      ...(code === undefined ? [] : [code]),
    ];
    const token = random.pick(wrong) ?? NO_TOKEN;
    const operation = random.oneOf(['assign', 'unassign', 'list'] as const);
    const project = this.#project();
    const known = this.#watched.monitor.project(project);
    const changing = this.#users.filter((user) => known.valuesOf(user).has(operation === 'unassign'));
    const user = random.pick(changing) ?? random.oneOf(this.#users);
    return operation === 'list'
      ? [{ do: 'list', project, with: token }]
      : this.#lookedAt({ do: operation, project, user, with: token });
  }

  #unknownIds(): readonly Step[] | undefined {
    const token = this.#liveToken();
    if (token === undefined) return undefined;
    const random = this.#random;
    const operation = random.oneOf(['assign', 'unassign', 'list'] as const);
    const [project, user] = [this.#project(), random.oneOf(this.#users)];
    if (operation === 'list') return [{ do: 'list', project: unknownId(project), with: token }];
    const strangeProject = random.chance(0.5);
    return this.#lookedAt({
      do: operation,
      project: strangeProject ? unknownId(project) : project,
      user: strangeProject ? user : unknownId(user),
      with: token,
    });
  }

  /** A change that was to be refused shows in the next list, and another change would hide it. */
  #lookedAt(step: Extract<Step, { do: 'assign' | 'unassign' }>): readonly Step[] {
    const token = this.#liveToken();
    const { projects } = this.#target;
    const project = projects.includes(step.project) ? step.project : this.#project();
    return token === undefined ? [step] : [step, { do: 'list', project, with: token }];
  }

  /**
   * Two or three requests on their way together, of any kinds, or the same twice, and a look at what became of them: whatever each
   * of them needs is done before.
   */
  #atOnce(weights: Weights): readonly Step[] | undefined {
    const [projects, users] = [this.#projects, this.#users];
    // What happens in one project, to few users, is what may get in each other's way.
    this.#projects = this.#some(projects, 1);
    this.#users = this.#some(users, 3);
    try {
      return this.#together(weights);
    } finally {
      this.#projects = projects;
      this.#users = users;
    }
  }

  #together(weights: Weights): readonly Step[] | undefined {
    const random = this.#random;
    const changes = random.chance(0.4) ? CHANGES : TOGETHER;
    const kinds = changes.filter((kind) => weights.some(([allowed]) => allowed === kind));
    const before: Step[] = [];
    const together: SingleStep[] = [];
    for (let count = random.chance(0.75) ? 2 : 3; together.length < count; ) {
      const last = together.at(-1);
      if (last !== undefined && random.chance(0.3)) {
        together.push(this.#sameAgain(last));
        continue;
      }
      const steps = this.#steps(random.pick(kinds) ?? 'exchange', weights) ?? this.#exchange();
      // What follows a change looks at it, and comes after all of them.
      const at = steps.findLastIndex((step) => step.do !== 'list' || steps.length === 1);
      const step = steps[at];
      if (step === undefined || step.do === 'at once' || step.do === 'wait') return undefined;
      before.push(...steps.slice(0, at));
      together.push(step);
    }
    // Steps before may use up, or let expire, what others need: then there is nothing to do at once.
    const needed = together.flatMap(needsOf);
    if (before.some((step) => step.do === 'refresh' && needed.includes(step.pair))) return undefined;
    return [...before, { do: 'at once', steps: together }, ...this.#lookAfter(together)];
  }

  /** The same request once more, what it gives under another name. */
  #sameAgain(step: SingleStep): SingleStep {
    if (step.do !== 'exchange' && step.do !== 'refresh') return step;
    this.#pairs += 1;
    return { ...step, as: `pair ${this.#pairs}` };
  }

  /** Lists what was changed at once, and puts to use what was given. */
  #lookAfter(together: readonly SingleStep[]): readonly Step[] {
    const token = this.#liveToken();
    const projects = [...new Set(together.flatMap((step) => ('project' in step ? [step.project] : [])))];
    const known = projects.filter((project) => this.#target.projects.includes(project));
    const looks: readonly Step[] =
      token === undefined ? [] : known.map((project) => ({ do: 'list', project, with: token }));
    const uses = together.flatMap((step): readonly Step[] => {
      if (step.do !== 'exchange' && step.do !== 'refresh') return [];
      this.#pairs += 1;
      return [
        { do: 'list', project: this.#projects[0], with: step.as },
        { do: 'refresh', pair: step.as, as: `pair ${this.#pairs}` },
      ];
    });
    return [...looks, ...uses];
  }

  #project(): string {
    return this.#random.oneOf(this.#projects);
  }

  #spelling(parameters: number): { readonly spelling?: Spelling } {
    const random = this.#random;
    if (random.chance(0.6)) return {};
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

  #liveToken(): string | undefined {
    return this.#pair((pair) => this.#stateOf(pair) === 'live' && pair.scope === 'destroy read write');
  }

  #stateOf(pair: Parameters<MonitoredSession['monitor']['model']['stateOf']>[0]) {
    return this.#watched.monitor.model.stateOf(pair, this.#watched.now());
  }

  /** The name of a pair that fits: the newest, often. */
  #pair(fits: (pair: NonNullable<ReturnType<Map<string, PairOf>['get']>>) => boolean): string | undefined {
    const { byAccess } = this.#watched.monitor.model;
    const names = [...this.#performer().named.pairs].flatMap(([name, { access }]) => {
      const pair = byAccess.get(access);
      return pair !== undefined && fits(pair) ? [name] : [];
    });
    return this.#random.chance(NEWEST) ? names.at(-1) : this.#random.pick(names);
  }

  #code(fits: (presented: number) => boolean): string | undefined {
    const { codes } = this.#watched.monitor.model;
    const names = [...this.#performer().named.codes].flatMap(([name, { value }]) => {
      const code = codes.get(value);
      return code !== undefined && fits(code.presented) ? [name] : [];
    });
    return this.#random.chance(NEWEST) ? names.at(-1) : this.#random.pick(names);
  }
}

type PairOf = Parameters<MonitoredSession['monitor']['model']['stateOf']>[0];

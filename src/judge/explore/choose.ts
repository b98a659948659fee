import type { Random } from './random.ts';
import { Script } from './script.ts';
import { MUCH, SITUATIONS, type Situation } from './situations/index.ts';
import type { Step } from './steps.ts';
import type { Supply } from './supply.ts';

/** Ordinary steps of a client; situations hold what a service must refuse. */
const WEIGHTS = [
  ['situation', 52],
  ['authorize', 4],
  ['exchange', 10],
  ['refresh', 9],
  ['list', 8],
  ['assign', 9],
  ['unassign', 6],
  ['wait', 3],
  ['create application', 0.5],
] as const;

export type Kind = (typeof WEIGHTS)[number][0];

export type Weights = readonly (readonly [Kind, number])[];

export function weightsOf(episode: number, random: Random): Weights {
  if (episode % 2 === 1) return WEIGHTS;
  return WEIGHTS.map(([kind, weight]) => [
    kind,
    kind === 'situation' ? weight : weight * random.oneOf([0, 1, 1, 4]),
  ]);
}

const WAITS = [1, 5, 61, 301, 1_801, 3_601, 7_199, 7_201, 7_300, 22_000, 90_000] as const;

/** Probability that the last used code is replayed at the end of a situation. */
const REPLAYED = 0.4;

/** Expensive situations are drawn only if this many requests are left and this many were already sent. */
const MANY_REQUESTS = { inAll: 3_000, before: 1_000 } as const;

export class Chooser {
  readonly #supply: Supply;
  readonly #few: readonly [Situation, ...Situation[]];
  readonly #many: readonly [Situation, ...Situation[]];
  readonly #sent: () => number;
  #applications = 0;

  /**
   * @param requests limit of requests
   *
   * @param sent returns the number of requests so far
   * @param more situations without a demand of the document
   */
  constructor(supply: Supply, requests: number, sent: () => number, more: readonly Situation[] = []) {
    this.#supply = supply;
    this.#sent = sent;
    const few = [...SITUATIONS, ...more];
    this.#few = this.#deckOf(few);
    this.#many = requests >= MANY_REQUESTS.inAll ? this.#deckOf([...few, ...MUCH]) : this.#few;
  }

  #deckOf(situations: readonly Situation[]): readonly [Situation, ...Situation[]] {
    const { target, refusals } = this.#supply;
    const possible = ({ needs = [] }: Situation) =>
      (!needs.includes('refusals') || refusals) &&
      (!needs.includes('clock') || target.clock !== undefined) &&
      (!needs.includes('emulator') || !target.shared);
    const all = situations.filter(possible);
    return all.flatMap((one) => Array.from({ length: one.times }, () => one)) as unknown as [Situation];
  }

  next(weights: Weights): readonly Step[] {
    for (let tries = 0; tries < 20; tries += 1) {
      const kind = this.#supply.random.weighted(weights);
      const steps = kind && this.#steps(kind);
      if (steps !== undefined && steps.length > 0) return steps;
    }
    return [this.#supply.authorize()];
  }

  #steps(kind: Kind): readonly Step[] | undefined {
    const { random, target } = this.#supply;
    switch (kind) {
      case 'situation': {
        const script = new Script(this.#supply);
        const deck = this.#sent() < MANY_REQUESTS.before ? this.#few : this.#many;
        this.#supply.decks.next(deck).write(script);
        if (this.#supply.refusals) script.maybe(REPLAYED, () => script.replayLast());
        return script.steps;
      }
      case 'authorize':
        return [this.#supply.authorize()];
      case 'exchange':
        return this.#exchange();
      case 'refresh':
        return this.#refresh();
      case 'wait':
        return target.clock === undefined ? undefined : [{ do: 'wait', seconds: random.oneOf(WAITS) }];
      case 'list': {
        const token = this.#supply.liveToken();
        if (token === undefined) return undefined;
        return [{ do: 'list', project: this.#supply.project(), with: token, ...this.#supply.asked('list') }];
      }
      case 'assign':
      case 'unassign':
        return this.#change(kind);
      case 'create application':
        return this.#createApplication();
    }
  }

  #exchange(): readonly Step[] {
    const steps: Step[] = [];
    let code = this.#supply.code((presented) => presented === 0);
    if (code === undefined) {
      const authorize = this.#supply.authorize();
      steps.push(authorize);
      code = authorize.as;
    }
    return [...steps, { do: 'exchange', code, as: this.#supply.newPair(), ...this.#supply.spelling(5) }];
  }

  #refresh(): readonly Step[] | undefined {
    const pair = this.#supply.pair(
      ({ family, presented, ...it }) => presented === 0 && family.latest?.access === it.access,
    );
    if (pair === undefined) return undefined;
    const as = this.#supply.newPair();
    const wait: readonly Step[] = this.#supply.early ? [] : [{ do: 'wait', seconds: 7_215 }];
    const steps: Step[] = [...wait, { do: 'refresh', pair, as, ...this.#supply.spelling(4) }];
    // Refreshed tokens are otherwise used too seldom.
    if (this.#supply.random.chance(0.3)) steps.push(...(this.#change('assign', as) ?? []));
    return steps;
  }

  #change(operation: 'assign' | 'unassign', token = this.#supply.liveToken()): readonly Step[] | undefined {
    if (token === undefined) return undefined;
    const { random, users } = this.#supply;
    const project = this.#supply.project();
    const user = random.chance(0.85) ? this.#supply.userToChange(operation, project) : random.oneOf(users);
    const steps: Step[] = [{ do: operation, project, user, with: token, ...this.#supply.asked(operation) }];
    if (random.chance(0.6)) {
      const reader = random.chance(0.5) ? token : (this.#supply.liveToken() ?? token);
      const read = random.chance(0.8) ? project : this.#supply.project();
      steps.push({ do: 'list', project: read, with: reader, ...this.#supply.asked('list') });
    }
    return steps;
  }

  /** Runs only on the suite's own service, because applications cannot be deleted there. */
  #createApplication(): readonly Step[] | undefined {
    const { target } = this.#supply;
    if (target.shared || this.#applications >= MOST_APPLICATIONS) return undefined;
    this.#applications += 1;
    const index = this.#supply.newApplication();
    const script = new Script(this.#supply);
    script.add({ do: 'create application', as: `application ${index + 1}` });
    const { pair } = script.pair({ application: index, address: 0 });
    script.list(this.#supply.project(), pair);
    script.refresh(pair);
    return script.steps;
  }
}

const MOST_APPLICATIONS = 8;

import { MUCH, SCENARIOS, type Scenario } from './scenarios/index.ts';
import { Script } from './script.ts';
import type { StepSupply } from './step-supply.ts';
import type { Step } from './steps.ts';

/** Share of scenarios, which hold what a service must refuse. Between them are a client's ordinary requests, by their weights. */
const SCENARIO_SHARE = 0.52;

const ORDINARY: readonly (readonly [write: (script: Script) => unknown, weight: number])[] = [
  [(script) => script.add(script.supply.authorize()), 8],
  [exchange, 20],
  [refresh, 18],
  [list, 16],
  [(script) => change(script, 'assign'), 18],
  [(script) => change(script, 'unassign'), 12],
  [wait, 6],
  [createApplication, 1],
];

const WAITS = [1, 5, 61, 301, 1_801, 3_601, 7_199, 7_201, 7_300, 22_000, 90_000] as const;

/** Probability that the last used code is replayed at the end of a scenario. */
const REPLAYED = 0.4;

/** Expensive scenarios are drawn only if this many requests are left and this many were already sent. */
const MANY_REQUESTS = { inAll: 3_000, before: 1_000 } as const;

export class StepChooser {
  readonly #supply: StepSupply;
  readonly #few: readonly Scenario[];
  readonly #many: readonly Scenario[];
  readonly #sent: () => number;

  /** @param sent returns the number of requests so far @param more scenarios without a demand of the document */
  constructor(supply: StepSupply, requests: number, sent: () => number, more: readonly Scenario[] = []) {
    this.#supply = supply;
    this.#sent = sent;
    const few = [...SCENARIOS, ...more];
    this.#few = this.#deckOf(few);
    this.#many = requests >= MANY_REQUESTS.inAll ? this.#deckOf([...few, ...MUCH]) : this.#few;
  }

  #deckOf(scenarios: readonly Scenario[]): readonly Scenario[] {
    const { target, refusals } = this.#supply;
    const possible = ({ needs = [] }: Scenario) =>
      (!needs.includes('refusals') || refusals) &&
      (!needs.includes('clock') || target.clock !== undefined) &&
      (!needs.includes('emulator') || !target.isLive);
    return scenarios.filter(possible).flatMap((one) => Array.from({ length: one.times }, () => one));
  }

  next(): readonly Step[] {
    const { random, decks, refusals } = this.#supply;
    for (let tries = 0; tries < 20; tries += 1) {
      const script = new Script(this.#supply);
      if (random.chance(SCENARIO_SHARE)) {
        decks.next(this.#sent() < MANY_REQUESTS.before ? this.#few : this.#many).write(script);
        if (refusals) script.maybe(REPLAYED, () => script.replayLast());
      } else random.weighted(ORDINARY)?.(script);
      if (script.steps.length > 0) return script.steps;
    }
    return [this.#supply.authorize()];
  }
}

function exchange(script: Script): void {
  const open = script.supply.code((presented) => presented === 0);
  if (open !== undefined) return void script.exchange(open);
  const step = script.supply.authorize();
  script.add(step);
  script.exchange(step.as);
}

function refresh(script: Script): void {
  const latest = script.supply.pair(
    ({ family, presented, access }) => presented === 0 && family.latest?.access === access,
  );
  if (latest === undefined) return;
  const next = script.refresh(latest);
  // Refreshed tokens are otherwise used too seldom.
  script.maybe(0.3, () => change(script, 'assign', next));
}

function list(script: Script): void {
  const token = script.supply.liveToken();
  if (token !== undefined) script.list(script.supply.project(), token);
}

function change(script: Script, operation: 'assign' | 'unassign', token = script.supply.liveToken()): void {
  const { supply } = script;
  if (token === undefined) return;
  const { random, users } = supply;
  const project = supply.project();
  const user = random.chance(0.85) ? supply.userToChange(operation, project) : random.oneOf(users);
  script.change(operation, project, user, token);
  script.maybe(0.6, () => {
    const reader = random.chance(0.5) ? token : (supply.liveToken() ?? token);
    script.list(random.chance(0.8) ? project : supply.project(), reader);
  });
}

function wait(script: Script): void {
  if (script.supply.target.clock !== undefined) script.wait(script.supply.random.oneOf(WAITS));
}

const MOST_APPLICATIONS = 8;

/** Only on the suite's own service, because applications cannot be deleted there. */
function createApplication(script: Script): void {
  const { supply } = script;
  if (supply.target.isLive || supply.applications >= MOST_APPLICATIONS) return;
  const index = supply.newApplication();
  script.add({ do: 'create application', as: `application ${index + 1}` });
  const { pair } = script.pair({ application: index, address: 0 });
  script.list(supply.project(), pair);
  script.refresh(pair);
}

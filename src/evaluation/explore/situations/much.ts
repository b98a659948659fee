import type { Script } from '../script.ts';
import { WRONG_AUTHORIZATIONS, WRONG_EXCHANGES, WRONG_REFRESHES } from '../steps.ts';

/** More than tables, caches and columns sized for a few entries hold. */
const MANY = 55;
const VERY_MANY = 105;

export function manyRefreshes(script: Script): void {
  const { pair } = script.pair({ application: 0 });
  const project = script.supply.project();
  let last = pair;
  for (let turn = 1; turn <= MANY; turn += 1) {
    last = script.refresh(last);
    if (turn % 9 === 0) script.list(project, last);
  }
  script.list(project, last);
}

export function manyCodes(script: Script): void {
  const codes = Array.from({ length: MANY }, () => script.code({ application: 0, address: 0 }));
  const [first, second] = codes;
  for (const code of [first, codes.at(-1), second]) {
    if (code === undefined) continue;
    const pair = script.exchange(code);
    script.list(script.supply.project(), pair);
    script.refresh(pair);
  }
}

export function manyTokens(script: Script): void {
  const project = script.supply.project();
  const pairs = Array.from({ length: VERY_MANY }, () => script.pair({ application: 0 }).pair);
  for (const pair of [pairs[0], pairs[1], pairs.at(-1)]) if (pair !== undefined) script.list(project, pair);
}

export function manyChanges(script: Script): void {
  const project = script.supply.project();
  const [user, other] = script.supply.users;
  const token = script.token();
  script.change('assign', project, other ?? user, token);
  for (let turn = 0; turn < MANY / 2; turn += 1) {
    script.change('assign', project, user, token);
    script.change('unassign', project, user, token);
    if (turn % 9 === 0) script.list(project, token);
  }
  script.list(project, token);
}

export function everywhere(script: Script): void {
  const { target, decks } = script.supply;
  const token = script.token();
  const [user] = script.supply.users;
  for (const project of target.projects) script.change('assign', project, user, token);
  for (const project of target.projects) script.list(project, token);
  for (const project of target.projects.slice(0, 3)) {
    script.change('unassign', project, user, token);
    script.list(project, token);
  }
  const project = decks.next(target.projects);
  for (const one of target.users) script.change('assign', project, one, token);
  script.list(project, token);
}

/** Repetitions of one refusal; shows a service that lets every tenth request pass. */
const IN_A_ROW = 12;

const SINGLE_SCOPES = ['read', 'write', 'destroy'] as const;

/** Parameter orders in which each parameter comes first once and last once. */
const AUTHORIZATION_ORDERS = rotations(4);
const EXCHANGE_ORDERS = rotations(5);

export function sameRefusal(script: Script): void {
  const { decks, performer } = script.supply;
  const way = decks.next(WAYS);
  const application = script.supply.random.below(performer.applications.length);
  const { pair } = script.pair({ application });
  for (let left = IN_A_ROW; left > 0; left -= 1) {
    if (way.of === 'authorize') script.add({ do: 'authorize wrongly', how: way.how, application });
    else if (way.of === 'refresh') script.add({ do: 'refresh wrongly', pair, how: way.how });
    // One refusal may invalidate a code.
    else script.add({ do: 'exchange wrongly', code: script.code({ application }), how: way.how });
  }
  script.list(script.supply.project(), script.refresh(pair));
}

const WAYS = [
  ...WRONG_AUTHORIZATIONS.map((how) => ({ of: 'authorize', how }) as const),
  ...WRONG_EXCHANGES.map((how) => ({ of: 'exchange', how }) as const),
  ...WRONG_REFRESHES.map((how) => ({ of: 'refresh', how }) as const),
];

export function everyWrongRefresh(script: Script): void {
  const { pair } = script.pair({ scope: script.supply.decks.next(SINGLE_SCOPES) });
  for (const how of script.supply.random.shuffled(WRONG_REFRESHES))
    script.add({ do: 'refresh wrongly', pair, how });
  script.list(script.supply.project(), script.refresh(pair));
}

export function everyWrongExchange(script: Script): void {
  const { decks, random } = script.supply;
  const order = decks.next(EXCHANGE_ORDERS);
  for (const how of random.shuffled(WRONG_EXCHANGES)) {
    const code = script.code({ application: 0 });
    script.add({ do: 'exchange wrongly', code, how, spelling: { order } });
    script.maybe(0.3, () => script.exchange(code));
  }
}

export function everyWrongAuthorization(script: Script): void {
  const { decks, random, performer } = script.supply;
  const order = decks.next(AUTHORIZATION_ORDERS);
  const application = random.below(performer.applications.length);
  for (const how of random.shuffled(WRONG_AUTHORIZATIONS))
    script.add({ do: 'authorize wrongly', how, application, spelling: { order } });
  script.pair({ application });
}

export function sameChange(script: Script): void {
  const { supply } = script;
  const [project, token] = [supply.project(), script.token()];
  const [user, other] = supply.users;
  script.change('assign', project, other ?? user, token);
  const operation = supply.random.chance(0.7) ? 'assign' : 'unassign';
  for (let left = 2 * IN_A_ROW + 1; left > 0; left -= 1) {
    script.add({ do: operation, project, user, with: token });
    script.list(project, token, {});
  }
}

function rotations(length: number): readonly (readonly number[])[] {
  const all = Array.from({ length }, (_, index) => index);
  return all.map((by) => [...all.slice(by), ...all.slice(0, by)]);
}

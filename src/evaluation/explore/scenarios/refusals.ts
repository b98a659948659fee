import { unknownId } from '../../../service/flow/never-issued.ts';
import type { Script } from '../script.ts';
import {
  NO_TOKEN,
  REFRESH_TOKEN_OF,
  UNKNOWN_TOKEN,
  WRONG_AUTHORIZATION_NAMES,
  WRONG_EXCHANGE_NAMES,
  WRONG_REFRESH_NAMES,
} from '../steps.ts';

const TRIES = [1, 2, 3, 5] as const;

const SCOPES = ['read write destroy', 'read', 'write', 'destroy', 'read write'] as const;

export function wrongExchanges(script: Script): void {
  const { random, decks } = script.supply;
  const code = script.code();
  for (let left = decks.next(TRIES); left > 0; left -= 1)
    script.add({
      do: 'exchange wrongly',
      code,
      how: decks.next(WRONG_EXCHANGE_NAMES),
      ...script.supply.spelling(5, 0.6),
    });
  script.maybe(0.85, () => {
    const pair = script.exchange(code);
    script.maybe(0.5, () => script.list(script.supply.project(), pair));
    script.maybe(0.8, () => script.exchange(code));
    if (random.chance(0.4)) script.exchange(code);
  });
}

export function wrongRefreshes(script: Script): void {
  const { decks } = script.supply;
  const { pair } = script.pair(script.supply.random.chance(0.5) ? { scope: decks.next(SCOPES) } : {});
  for (let left = decks.next(TRIES); left > 0; left -= 1)
    script.add({
      do: 'refresh wrongly',
      pair,
      how: decks.next(WRONG_REFRESH_NAMES),
      ...script.supply.spelling(4, 0.6),
    });
  const next = script.refresh(pair);
  script.list(script.supply.project(), next);
  script.maybe(0.3, () => script.refresh(next));
  script.maybe(0.4, () => script.refresh(pair));
}

const BETWEEN = ['nothing', 'refresh', 'a code', 'three codes', 'a use', 'a denial'] as const;

export function replays(script: Script): void {
  const { decks, random } = script.supply;
  const application = random.below(2) % script.supply.performer.applications.length;
  const { code, pair } = script.pair({ application });
  const between = decks.next(BETWEEN);
  if (between === 'refresh') script.refresh(pair);
  else if (between === 'a code') script.code({ application });
  else if (between === 'three codes') for (let left = 3; left > 0; left -= 1) script.pair({ application });
  else if (between === 'a use') script.list(script.supply.project(), pair);
  else if (between === 'a denial') script.add({ do: 'authorize wrongly', how: 'deny', application });
  script.exchange(code);
  script.maybe(0.6, () => script.exchange(code));
  script.maybe(0.3, () => script.exchange(code));
}

export function wrongAuthorizations(script: Script): void {
  const { decks, random, performer } = script.supply;
  const application = random.below(performer.applications.length);
  for (let left = 3; left > 0; left -= 1) {
    const wrong = {
      do: 'authorize wrongly',
      how: decks.next(WRONG_AUTHORIZATION_NAMES),
      application,
      ...(random.chance(0.5) ? { scope: decks.next(SCOPES) } : {}),
    } as const;
    for (let times = random.chance(0.3) ? 2 : 1; times > 0; times -= 1)
      script.add({
        ...wrong,
        ...(random.chance(0.7) ? { spelling: { order: random.shuffled([0, 1, 2, 3]) } } : {}),
      });
  }
  script.maybe(0.5, () => {
    const { pair } = script.pair({ application });
    script.maybe(0.3, () => script.list(script.supply.project(), pair));
  });
}

const WITHOUT_RIGHT = (['assign', 'unassign', 'list'] as const).flatMap((operation) =>
  (['none', 'unknown', 'refresh token', 'code', 'expired'] as const).map((token) => ({ operation, token })),
);

export function withoutRight(script: Script): void {
  const { supply } = script;
  const { operation, token } = supply.decks.next(WITHOUT_RIGHT);
  const project = supply.project();
  const user = supply.userToChange(operation === 'list' ? 'assign' : operation, project);
  const live = script.token();
  const wrong = {
    none: NO_TOKEN,
    unknown: UNKNOWN_TOKEN,
    'refresh token': `${REFRESH_TOKEN_OF}${live}`,
    expired: supply.pair((pair) => supply.stateOf(pair) === 'dead') ?? UNKNOWN_TOKEN,
    code: supply.code(() => true) ?? NO_TOKEN,
  }[token];
  if (operation === 'list') {
    script.maybe(0.5, () => script.change('assign', project, user, live));
    script.list(project, live);
    script.add({ do: 'list', project, with: wrong });
    script.maybe(0.5, () => script.list(project, live));
    return;
  }
  for (let left = supply.random.chance(0.3) ? 2 : 1; left > 0; left -= 1)
    script.add({ do: operation, project, user, with: wrong });
  script.list(project, live);
  script.maybe(0.6, () => afterwards(script, project, live));
}

export function unknownIds(script: Script): void {
  const { supply } = script;
  const [operation, strange] = supply.decks.next(UNKNOWN);
  const [project, user] = [supply.project(), supply.random.oneOf(supply.users)];
  const live = script.token();
  const [inProject, ofUser] = strange === 'project' ? [unknownId(project), user] : [project, unknownId(user)];
  if (operation === 'list') script.add({ do: 'list', project: unknownId(project), with: live });
  else script.add({ do: operation, project: inProject, user: ofUser, with: live });
  script.list(project, live);
  script.maybe(0.6, () => afterwards(script, project, live));
}

const UNKNOWN = [
  ['list', 'project'],
  ['assign', 'project'],
  ['assign', 'user'],
  ['unassign', 'project'],
  ['unassign', 'user'],
] as const;

function afterwards(script: Script, project: string, live: string): void {
  const { random, users } = script.supply;
  const user = random.oneOf(users);
  script.change('assign', project, user, live);
  script.list(project, live);
  script.maybe(0.4, () => {
    script.change('unassign', project, user, live);
    script.list(project, live);
  });
}

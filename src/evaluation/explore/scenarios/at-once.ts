import type { Script } from '../script.ts';
import { type SingleStep, UNKNOWN_TOKEN, WRONG_EXCHANGE_NAMES, WRONG_REFRESH_NAMES } from '../steps.ts';

type Part = readonly [operation: 'assign' | 'unassign' | 'list', project: number, user: number];

const CROWD_COUNTS = [2, 4, 5] as const;

/** One operation several times: for several users, at several projects, or the same request. */
const CROWDS: readonly (readonly [Part[0], 'users' | 'projects' | 'same'])[] = [
  ['assign', 'users'],
  ['unassign', 'users'],
  ['assign', 'projects'],
  ['unassign', 'projects'],
  ['list', 'projects'],
  ['list', 'same'],
  ['assign', 'same'],
  ['unassign', 'same'],
];

const assign = (project: number, user: number): Part => ['assign', project, user];
const unassign = (project: number, user: number): Part => ['unassign', project, user];
const list = (project: number): Part => ['list', project, 0];

const FEW: readonly (readonly Part[])[] = [
  [assign(0, 0), list(0)],
  [list(0), assign(0, 0)],
  [list(0), unassign(0, 0)],
  [assign(0, 0), unassign(0, 1)],
  [unassign(0, 0), assign(0, 1)],
  [assign(0, 0), unassign(0, 0)],
  [assign(0, 0), unassign(1, 0), list(0), list(1)],
  [assign(0, 0), unassign(0, 1), list(0), assign(0, 2), unassign(0, 3)],
];

type Meeting = (script: Script) => readonly SingleStep[];

const OPERATION_MEETINGS: readonly Meeting[] = [
  ...CROWDS.map(([operation, differ]): Meeting => {
    return (script) => {
      const parts = Array.from(
        { length: script.supply.decks.next(CROWD_COUNTS) },
        (_, i): Part => [operation, differ === 'projects' ? i : 0, differ === 'users' ? i : 0],
      );
      return meet(script, parts);
    };
  }),
  ...FEW.map(
    (parts): Meeting =>
      (script) =>
        meet(script, parts),
  ),
];

function meet(script: Script, parts: readonly Part[]): readonly SingleStep[] {
  const { random, projects, users } = script.supply;
  const token = script.token();
  const other = random.chance(0.4) ? script.pair({ application: 0 }).pair : token;
  const places = random.shuffled(projects);
  const people = random.shuffled(users);
  const prepared = new Set<string>();
  return parts.map(([operation, projectAt, userAt], index): SingleStep => {
    const project = places[projectAt % places.length] ?? projects[0];
    const user = people[userAt % people.length] ?? users[0];
    const key = JSON.stringify([project, user]);
    if (!prepared.has(key)) {
      prepared.add(key);
      if (operation !== 'assign') script.change('assign', project, user, token);
      else if (script.supply.mayBeAssigned(user, project)) script.change('unassign', project, user, token);
    }
    const who = index % 2 === 0 ? token : other;
    return operation === 'list'
      ? { do: 'list', project, with: who }
      : { do: operation, project, user, with: who };
  });
}

function exchangeOf(script: Script, code: string): SingleStep {
  return { do: 'exchange', code, as: script.supply.newName('pair'), ...script.supply.spelling(5, 0.2) };
}

function refreshOf(script: Script, pair: string): SingleStep {
  if (!script.supply.early) script.wait(7_215);
  return { do: 'refresh', pair, as: script.supply.newName('pair'), ...script.supply.spelling(4, 0.2) };
}

const MOST_WRONG = 4;

const BY_OTHERS = [
  'by the other application',
  'secret of the other application',
  'wrong secret',
  'other address',
  'other authorized address',
] as const;

function wrongs({ supply }: Script, make: () => SingleStep): readonly SingleStep[] {
  return Array.from({ length: 2 + supply.random.below(MOST_WRONG - 1) }, make);
}

function wrongExchangesOf(
  script: Script,
  code: string,
  ways: readonly (typeof WRONG_EXCHANGE_NAMES)[number][] = WRONG_EXCHANGE_NAMES,
): readonly SingleStep[] {
  return wrongs(script, () => ({ do: 'exchange wrongly', code, how: script.supply.decks.next(ways) }));
}

function wrongRefreshesOf(script: Script, pair: string): readonly SingleStep[] {
  const { decks } = script.supply;
  return wrongs(script, () => ({ do: 'refresh wrongly', pair, how: decks.next(WRONG_REFRESH_NAMES) }));
}

function several({ supply }: Script, make: () => SingleStep): readonly SingleStep[] {
  return Array.from({ length: supply.decks.next(COUNTS) }, make);
}

const COUNTS = [2, 2, 2, 3, 4] as const;

/** Sends one request for each application in any order: none may get what belongs to another. */
function ofEach({ supply }: Script, make: (application: number) => SingleStep): readonly SingleStep[] {
  return supply.random.shuffled(supply.performer.applications.map((_, index) => index)).map(make);
}

const RIGHTFUL_MEETINGS: readonly Meeting[] = [
  (s) => several(s, () => exchangeOf(s, s.code())),
  (s) => several(s, () => exchangeOf(s, s.code({ application: 0 }))),
  (s) => several(s, () => refreshOf(s, s.pair().pair)),
  (s) => several(s, () => refreshOf(s, s.pair({ application: 0 }).pair)),
  (s) => ofEach(s, (application) => exchangeOf(s, s.code({ application }))),
  (s) => ofEach(s, (application) => refreshOf(s, s.pair({ application }).pair)),
  refreshAndList,
  (s) => refreshAndList(s).toReversed(),
  (s) => {
    const project = s.supply.project();
    const user = s.supply.userToChange('assign', project);
    const { pair } = s.pair();
    return [refreshOf(s, pair), { do: 'assign', project, user, with: pair }];
  },
  (s) => {
    const [project, live] = [s.supply.project(), s.token()];
    const [refreshing, code] = [s.pair().pair, s.code()];
    return [refreshOf(s, refreshing), exchangeOf(s, code), { do: 'list', project, with: live }];
  },
  consentPages,
];

const RISKY_MEETINGS: readonly Meeting[] = [
  (s) => {
    const code = s.code();
    return several(s, () => exchangeOf(s, code));
  },
  (s) => {
    const { pair } = s.pair();
    return several(s, () => refreshOf(s, pair));
  },
  (s) => {
    const code = s.code();
    return [exchangeOf(s, code), ...wrongExchangesOf(s, code)];
  },
  (s) => {
    const code = s.code();
    return [...wrongExchangesOf(s, code), exchangeOf(s, code)];
  },
  (s) => {
    const [code, other] = [s.code({ application: 0 }), s.code({ application: 0 })];
    return [exchangeOf(s, code), ...wrongExchangesOf(s, other, BY_OTHERS)];
  },
  (s) => {
    const { pair } = s.pair();
    return [refreshOf(s, pair), ...wrongRefreshesOf(s, pair)];
  },
  (s) => {
    const { pair } = s.pair();
    return [...wrongRefreshesOf(s, pair), refreshOf(s, pair)];
  },
  (s) => [refreshOf(s, s.pair().pair), ...wrongRefreshesOf(s, s.pair().pair)],
  besideTheLive,
];

function refreshAndList(script: Script): readonly SingleStep[] {
  const { pair } = script.pair();
  const project = script.supply.project();
  script.change('assign', project, script.supply.random.oneOf(script.supply.users), pair);
  return [refreshOf(script, pair), { do: 'list', project, with: pair }];
}

function besideTheLive(script: Script): readonly SingleStep[] {
  const { random, users } = script.supply;
  const project = script.supply.project();
  let none: string = UNKNOWN_TOKEN;
  if (script.supply.target.clock !== undefined && random.chance(0.7)) {
    none = script.pair().pair;
    script.wait(7_215);
  }
  const live = script.token();
  const [user, other] = random.shuffled(users);
  if (user === undefined) return [];
  script.change('assign', project, user, live);
  return [
    { do: 'list', project, with: live },
    { do: 'list', project, with: none },
    ...(random.chance(0.5)
      ? [{ do: 'assign', project, user: other ?? user, with: none } as const]
      : [{ do: 'unassign', project, user, with: none } as const]),
  ];
}

function consentPages(script: Script): readonly SingleStep[] {
  const { supply } = script;
  if (supply.target.forgetConsent !== undefined) script.add({ do: 'forget consent' });
  const applications = supply.performer.applications.length;
  const first = supply.authorize({ application: 0, address: 0, state: 'first' });
  const second = supply.authorize(
    supply.random.chance(0.5)
      ? {
          application: 0,
          address: supply.performer.applications[0]?.redirectUris[1] ? 1 : 0,
          state: 'second',
        }
      : { application: applications - 1, address: 0, state: 'second' },
  );
  return [first, second];
}

const RIGHTFUL = [...OPERATION_MEETINGS, ...RIGHTFUL_MEETINGS];
const ALL = [...RIGHTFUL, ...RISKY_MEETINGS];

const LATER = [0, 0, 3_601, 7_199] as const;

export function concurrentSteps(script: Script): void {
  const { supply } = script;
  const meeting = supply.decks.next(supply.refusals ? ALL : RIGHTFUL);
  const steps = meeting(script);
  script.atOnce(steps);
  lookAfter(script, steps);
}

function lookAfter(script: Script, together: readonly SingleStep[]): void {
  const { supply } = script;
  const projects = [...new Set(together.flatMap((step) => ('project' in step ? [step.project] : [])))];
  if (projects.length > 0) {
    const reader = script.token();
    for (const project of projects) script.list(project, reader, {});
    const [change] = together.filter((step) => step.do === 'assign' || step.do === 'unassign');
    if (change !== undefined && 'user' in change) {
      const undo = change.do === 'assign' ? 'unassign' : 'assign';
      script.maybe(0.5, () => {
        script.change(undo, change.project, change.user, reader);
        script.list(change.project, reader, {});
      });
    }
  }
  const codes = together.flatMap((step) => (step.do === 'authorize' ? [step.as] : []));
  const exchanged = codes.map((code) => script.exchange(code));
  const given = together.flatMap((step) =>
    step.do === 'exchange' || step.do === 'refresh' ? [step.as] : [],
  );
  const pairs = [...given, ...exchanged];
  const project = supply.project();
  for (const pair of pairs) script.list(project, pair);
  const later = pairs.length > 0 && supply.target.clock !== undefined ? supply.decks.next(LATER) : 0;
  if (later > 0) {
    script.wait(later);
    for (const pair of given) script.list(project, pair);
    // The last answer to one refresh token is the latest, which must refresh; an older one may undo it.
  } else for (const pair of given.toReversed()) script.refresh(pair);
}

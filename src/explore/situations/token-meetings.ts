import type { Script } from '../script.ts';
import { type SingleStep, UNKNOWN_TOKEN, WRONG_EXCHANGES, WRONG_REFRESHES } from '../steps.ts';

export type Meeting = (script: Script) => readonly SingleStep[];

function exchangeOf(script: Script, code: string): SingleStep {
  return { do: 'exchange', code, as: script.supply.newPair(), ...script.supply.spelling(5, 0.2) };
}

function refreshOf(script: Script, pair: string): SingleStep {
  if (!script.supply.early) script.wait(7_215);
  return { do: 'refresh', pair, as: script.supply.newPair(), ...script.supply.spelling(4, 0.2) };
}

const MOST_WRONG = 4;

type WrongExchange = (typeof WRONG_EXCHANGES)[number];

const BY_OTHERS = [
  'by the other application',
  'secret of the other application',
  'wrong secret',
  'other address',
  'other authorized address',
] as const;

function wrongExchangesOf(
  { supply }: Script,
  code: string,
  ways: readonly [WrongExchange, ...WrongExchange[]] = WRONG_EXCHANGES,
): readonly SingleStep[] {
  return Array.from({ length: 2 + supply.random.below(MOST_WRONG - 1) }, () => {
    return { do: 'exchange wrongly', code, how: supply.decks.next(ways) } as const;
  });
}

function wrongRefreshesOf({ supply }: Script, pair: string): readonly SingleStep[] {
  return Array.from({ length: 2 + supply.random.below(MOST_WRONG - 1) }, () => {
    return { do: 'refresh wrongly', pair, how: supply.decks.next(WRONG_REFRESHES) } as const;
  });
}

function several({ supply }: Script, make: () => SingleStep): readonly SingleStep[] {
  return Array.from({ length: supply.decks.next(COUNTS) }, make);
}

const COUNTS = [2, 2, 2, 3, 4] as const;

/** Sends one request for each application in any order: none may get what belongs to another. */
function ofEach({ supply }: Script, make: (application: number) => SingleStep): readonly SingleStep[] {
  return supply.random.shuffled(supply.performer.applications.map((_, index) => index)).map(make);
}

export const RIGHTFUL_MEETINGS: readonly Meeting[] = [
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

export const RISKY_MEETINGS: readonly Meeting[] = [
  sameCode,
  sameToken,
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

function sameCode(script: Script): readonly SingleStep[] {
  const code = script.code();
  return several(script, () => exchangeOf(script, code));
}

function sameToken(script: Script): readonly SingleStep[] {
  const { pair } = script.pair();
  return several(script, () => refreshOf(script, pair));
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

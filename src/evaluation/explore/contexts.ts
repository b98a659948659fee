import { SOME_SCOPES } from '../../document/profiles/scope-sets.ts';
import type { Target } from '../../service/target.ts';
import {
  authorizeAll,
  NO_TOKEN,
  type OperationSpelling,
  REFRESH_TOKEN_OF,
  type Step,
  UNKNOWN_TOKEN,
  type Visit,
  type WrongExchange,
  type WrongRefresh,
} from './steps.ts';

/** The documented flow in one context: each context differs from the usual one in one value. */
interface Context {
  /** Completes "refresh to be honoured, …". */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Requests that must be refused in this context too. */
  readonly misuses: readonly Step[];
}

type Row = Omit<Context, 'misuses'> & {
  /** The place that the row is about. */
  readonly at?: At;
  readonly if?: boolean;
};

interface At {
  readonly application?: number;
  readonly address?: number;
  readonly visit?: Visit;
}

interface Abilities {
  /** A refresh before the expiry is honoured. */
  readonly early: boolean;
  /** Replays and other requests that a service may answer by revoking are allowed. */
  readonly refusals: boolean;
}

/** Seconds behind the expiry. */
const EXPIRED = 7_215;
/** Seconds in which a token is still good, whatever the clocks. */
const NEARLY_EXPIRED = 7_000;
/** Seconds for which most codes are good, and from then on: a token that began to age with its code is dead after both. */
const [CODE_WAITS, THEN_EXPIRES] = [45, 7_170];
/** Seconds until an early refresh, and from then on: the first token is dead after both. */
const EARLY = 3_650;
/** Seconds of half a day, in which a token expires and the date may change. */
const HALF_A_DAY = 43_200;

/** Seconds after which a change has another date. */
const TWO_DATES = 2;

/** Wrong requests whose refusal may depend on the application. The checks send them for the first one. */
const WRONG_EXCHANGES: readonly WrongExchange[] = [
  'wrong secret',
  'by the other application',
  'other authorized address',
  'unknown code',
  'secret of the other application',
  'other address',
];
const WRONG_REFRESHES: readonly WrongRefresh[] = [
  'unknown token',
  'access token',
  'secret of the other application',
  'wrong secret',
  'by the other application',
];

const KEPT = { spelling: { kept: true } } as const;

/** Users whose list is worth compressing. */
const SOME = 3;

/** Users at most that fill a project. */
const MANY = 6;

/** An application and one of its addresses, which the flow's own code is for. */
interface Place {
  readonly name: string;
  readonly application: number;
  readonly address: number;
}

/** A time at which the pair is refreshed, and what is asked for afterwards. */
interface Time {
  readonly name: string;
  readonly aged: readonly Step[];
  readonly after: readonly Step[];
}

interface Parts {
  readonly at?: At;
  /** Before the flow's own authorization. */
  readonly before?: readonly Step[];
  /** Between exchange and the first call. */
  readonly beside?: readonly Step[];
  /** Before the refresh. */
  readonly aged?: readonly Step[];
  readonly after?: readonly Step[];
}

/**
 * Returns the flow in each context that a target can be in, the likeliest faults first: authorize, exchange, assign, list, unassign,
 * list, refresh, list with the new token. A wrong password is no context: its check types one, and a run may type few.
 */
export function contextsOf(target: Target, { early, refusals }: Abilities): readonly Context[] {
  const { users, clock, isLive, application, secondApplication, projects } = target;
  const [, elsewhere] = projects;
  const withQuery = application.redirectUris.findIndex((address) => address.includes('?'));
  const { list, change, use } = callsOf(target);
  const refresh = (aged: readonly Step[], then = use('pair 2')): readonly Step[] => {
    if (!early && clock === undefined) return [];
    const waits: readonly Step[] = early || aged.length > 0 ? [] : [wait(EXPIRED)];
    return [...aged, ...waits, { do: 'refresh', pair: 'pair 1', as: 'pair 2' }, ...then];
  };
  const flow = ({ at, before = [], beside = [], aged = [], after = [] }: Parts): readonly Step[] => [
    ...before,
    authorizeAll('code 1', at),
    exchange('code 1', 'pair 1'),
    ...beside,
    ...use('pair 1'),
    ...refresh(aged),
    ...after,
  ];
  const second = secondApplication === undefined ? {} : { application: 1 };
  const otherGrant = [authorizeAll('code 2', { application: 1 }), exchange('code 2', 'pair B')];
  const some = users.slice(0, SOME);
  const allIn = (where: string): readonly Step[] => {
    const many = users.slice(0, MANY);
    return [
      ...many.map((who) => change('assign', 'pair 1', who, undefined, where)),
      list('pair 1', undefined, where),
      ...many.map((who) => change('unassign', 'pair 1', who, undefined, where)),
      list('pair 1', undefined, where),
    ];
  };
  // A refused list proves nothing where no user is assigned.
  const oneDead = [
    change('assign', 'pair 2'),
    wait(EARLY),
    list('pair 1'),
    list('pair 2'),
    change('unassign', 'pair 2'),
  ];
  const stillLives = [wait(NEARLY_EXPIRED), list('pair 2')];
  const times = clock === undefined ? [] : timesOf(early, stillLives, oneDead);
  const places = placesOf(target);
  const atPlace = (place: Place, time?: Time): Row => ({
    name: time === undefined ? place.name : `${place.name}, ${time.name}`,
    steps: flow({ ...time, at: place, before: createsFor(place, target) }),
    ...(time === undefined && { at: place }),
  });
  /** The scopes of a pair are the same after each refresh (clause 4.3). */
  const inScope = (scope: string): readonly Step[] => [
    { do: 'authorize', as: 'code 1', application: 0, address: 0, scope },
    exchange('code 1', 'pair 1'),
    ...refresh(early ? [wait(100)] : [], []),
    ...(clock ? [wait(EXPIRED), { do: 'refresh', pair: 'pair 2', as: 'pair 3' } as const] : []),
  ];
  // The answer that was cut off would show a user in a project without one.
  const cutOff =
    elsewhere === undefined
      ? [list('pair 1', { cut: true })]
      : [
          change('assign', 'pair 1', users[0], undefined, elsewhere),
          list('pair 1', { cut: true }, elsewhere),
          list('pair 1'),
          change('unassign', 'pair 1', users[0], undefined, elsewhere),
        ];
  const rows: readonly Row[] = [
    {
      name: 'beside a second grant of the same user',
      steps: flow({
        beside: [authorizeAll('code 2'), exchange('code 2', 'pair B'), list('pair 1')],
        after: [
          list('pair B'),
          ...(early ? [{ do: 'refresh', pair: 'pair B', as: 'pair C' } as const, list('pair C')] : []),
        ],
      }),
    },
    {
      name: 'beside the access token that was replaced',
      if: early,
      steps: flow({ after: [list('pair 1'), ...use('pair 2')] }),
    },
    { name: 'with the newer of two codes', steps: flow({ before: [authorizeAll('code 2')] }) },
    {
      name: 'beside a grant of the other application',
      if: secondApplication !== undefined,
      steps: flow({ beside: [...otherGrant, list('pair 1')], after: [list('pair B')] }),
    },
    {
      name: 'beside the replay of the code of another grant',
      if: refusals,
      steps: flow({
        before: [authorizeAll('code 2', second), exchange('code 2', 'pair B')],
        beside: [exchange('code 2', 'pair of the replay')],
      }),
    },
    {
      name: 'beside the replay of a refresh token of another grant',
      if: refusals && early,
      steps: flow({
        before: [
          { do: 'authorize', as: 'code 2', application: 0, address: 0, ...second, scope: 'read' },
          exchange('code 2', 'pair B'),
          { do: 'refresh', pair: 'pair B', as: 'pair C' },
        ],
        beside: [{ do: 'refresh', pair: 'pair B', as: 'pair of the replay' }],
      }),
    },
    {
      name: 'with two refreshes of one token at once',
      if: refusals && early,
      steps: flow({
        before: [authorizeAll('code 2'), exchange('code 2', 'pair B')],
        beside: [
          {
            do: 'at once',
            steps: [
              { do: 'refresh', pair: 'pair B', as: 'pair C' },
              { do: 'refresh', pair: 'pair B', as: 'pair D' },
            ],
          },
        ],
      }),
    },
    {
      name: 'after refused requests',
      steps: flow({ beside: [list(NO_TOKEN), list(UNKNOWN_TOKEN), change('assign', NO_TOKEN)] }),
    },
    {
      name: 'after HEAD',
      steps: flow({
        beside: [
          list('pair 1', { head: true }),
          change('assign'),
          list('pair 1'),
          list(NO_TOKEN, { head: true }),
          list(UNKNOWN_TOKEN, { head: true }),
        ],
      }),
    },
    {
      name: 'on the connection of a refused request',
      steps: [
        authorizeAll('code 1'),
        { do: 'exchange wrongly', code: 'code 1', how: 'unknown code', ...KEPT },
        { do: 'exchange', code: 'code 1', as: 'pair 1', ...KEPT },
        list('pair 1'),
        ...(early
          ? [
              { do: 'refresh wrongly', pair: 'pair 1', how: 'unknown token', ...KEPT } as const,
              { do: 'refresh', pair: 'pair 1', as: 'pair 2', ...KEPT } as const,
              list('pair 2'),
            ]
          : []),
      ],
    },
    { name: 'after a request that was cut off', steps: flow({ beside: cutOff }) },
    {
      name: 'with changes that have no length',
      steps: flow({
        beside: [
          change('assign', 'pair 1', users[0], { noLength: true }),
          list('pair 1'),
          change('unassign', 'pair 1', users[0], { noLength: true }),
          list('pair 1'),
        ],
      }),
    },
    {
      name: 'with a list that changes between two conditional requests',
      steps: flow({
        beside: [
          list('pair 1'),
          change('assign'),
          list('pair 1', { unlessSame: true }),
          list('pair 1', { unlessSame: true }),
          list('pair 1'),
          change('unassign'),
          list('pair 1', { unlessSame: true }),
          wait(TWO_DATES),
          list('pair 1'),
          change('assign'),
          list('pair 1', { unlessSince: true }),
          wait(TWO_DATES),
          list('pair 1'),
          change('unassign'),
          list('pair 1', { unlessSince: true }),
        ],
      }),
    },
    {
      name: 'with a compressed list',
      steps: flow({
        beside: [
          ...some.map((who) => change('assign', 'pair 1', who)),
          list('pair 1', { encoding: 'gzip' }),
          list('pair 1', { encoding: 'identity' }),
          ...some.map((who) => change('unassign', 'pair 1', who)),
          list('pair 1', { encoding: 'gzip' }),
        ],
      }),
    },
    {
      name: 'with a code that waited',
      if: clock !== undefined,
      steps: [
        authorizeAll('code 1'),
        wait(CODE_WAITS),
        exchange('code 1', 'pair 1'),
        list('pair 1'),
        wait(THEN_EXPIRES),
        list('pair 1'),
      ],
    },
    {
      name: clock ? 'with a second refresh, past the end of the first token' : 'with a second refresh',
      if: early,
      steps: [
        authorizeAll('code 1'),
        exchange('code 1', 'pair 1'),
        ...(clock ? [wait(7_000)] : []),
        { do: 'refresh', pair: 'pair 1', as: 'pair 2' },
        { do: 'refresh', pair: 'pair 2', as: 'pair 3' },
        ...(clock ? [wait(400)] : []),
        ...use('pair 3'),
      ],
    },
    ...places.map((place) => atPlace(place)),
    ...times.map(({ name, aged, after }) => ({ name, steps: flow({ aged, after }) })),
    {
      name: 'after a denial',
      if: !isLive,
      steps: flow({ before: [{ do: 'authorize wrongly', how: 'deny', application: 0 }] }),
    },
    {
      name: 'after leaving the consent page',
      if: !isLive,
      steps: [{ do: 'forget consent' }, ...flow({ at: { visit: 'after leaving the page' } })],
    },
    {
      name: 'with every user in a project',
      steps: flow({ beside: [projects[0], ...projects.slice(1, 2)].flatMap((where) => allIn(where)) }),
    },
    {
      name: 'in another browser',
      // A sign-in page may lose the query of an address.
      steps: flow({ at: { address: Math.max(0, withQuery), visit: 'in another browser' } }),
    },
    {
      name: 'after consent to the other application',
      if: !isLive && secondApplication !== undefined,
      steps: flow({ before: [{ do: 'forget consent' }, ...otherGrant] }),
    },
    ...SOME_SCOPES.map((scope) => ({ name: `for the scope ${scope}`, steps: inScope(scope) })),
    // Last, because they are many: a live run may end within them.
    ...places.flatMap((place) => times.map((time) => atPlace(place, time))),
  ];
  return rows
    .filter(({ if: isPossible = true }) => isPossible)
    .map((row) => ({
      name: row.name,
      steps: row.steps,
      misuses: row.at?.application ? misusesOf(row, target) : [],
    }));
}

/** Returns wrong exchanges, calls and refreshes of an application. */
function misusesOf({ steps, at }: Row, target: Target): readonly Step[] {
  const { list, change } = callsOf(target);
  const pair = steps.findLast((step) => step.do === 'refresh' || step.do === 'exchange')?.as ?? '';
  return [
    ...WRONG_EXCHANGES.flatMap((how, index): readonly Step[] => {
      const code = `code of misuse ${index + 1}`;
      return [authorizeAll(code, at), { do: 'exchange wrongly', code, how }];
    }),
    change('assign', `${REFRESH_TOKEN_OF}${pair}`),
    list(pair),
    ...WRONG_REFRESHES.map((how): Step => ({ do: 'refresh wrongly', pair, how })),
  ];
}

function callsOf({ projects: [project], users: [first] }: Target) {
  const list = (pair: string, spelling?: OperationSpelling, at: string = project): Step => ({
    do: 'list',
    project: at,
    with: pair,
    ...(spelling && { spelling }),
  });
  const change = (
    operation: 'assign' | 'unassign',
    pair = 'pair 1',
    user: string = first,
    spelling?: OperationSpelling,
    at: string = project,
  ): Step => ({
    do: operation,
    project: at,
    user,
    with: pair,
    ...(spelling && { spelling }),
  });
  const use = (pair: string): readonly Step[] => [
    change('assign', pair),
    list(pair),
    change('unassign', pair),
    list(pair),
  ];
  return { list, change, use };
}

/** Returns every place but the first address of the first application. */
function placesOf({ application, secondApplication, isLive, pages }: Target): readonly Place[] {
  const created = secondApplication === undefined ? 1 : 2;
  return [
    ...application.redirectUris
      .slice(1)
      .map((_, index) => ({ name: `at address ${index + 2}`, application: 0, address: index + 1 })),
    ...(secondApplication?.redirectUris ?? []).map((_, address) => ({
      name: `for the second application at address ${address + 1}`,
      application: 1,
      address,
    })),
    ...(isLive || pages.accountArea === undefined ? [] : [0, 1]).map((address) => ({
      name: `for an application from the account area at address ${address + 1}`,
      application: created,
      address,
    })),
  ];
}

function createsFor({ application }: Place, { secondApplication }: Target): readonly Step[] {
  if (application <= (secondApplication === undefined ? 0 : 1)) return [];
  return [{ do: 'create application', as: `application ${application + 1}`, odd: true }];
}

/**
 * @param stillLives when the second pair is about to expire
 * @param oneDead when the first pair has expired and the second one has not
 */
function timesOf(early: boolean, stillLives: readonly Step[], oneDead: readonly Step[]): readonly Time[] {
  return [
    { name: 'after the expiry', aged: [wait(EXPIRED)], after: stillLives },
    { name: 'over midnight', aged: [wait(HALF_A_DAY)], after: [] },
    {
      name: 'after an early refresh',
      aged: early ? [wait(EARLY)] : [],
      after: oneDead,
    },
  ];
}

function wait(seconds: number): Step {
  return { do: 'wait', seconds };
}

function exchange(code: string, as: string): Step {
  return { do: 'exchange', code, as };
}
